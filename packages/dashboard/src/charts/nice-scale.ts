const FRIENDLY_STEPS = [1, 2, 5, 10]

/** The values of the grid lines of an axis that starts at 0: round whole numbers, the last one at least `max`. */
export function niceScale(max: number, steps = 4): readonly number[] {
  // An empty chart has an axis too, and an invalid figure must not break the page.
  const top = Number.isFinite(max) && max > 0 ? max : 1
  const rough = top / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, power * (FRIENDLY_STEPS.find((friendly) => friendly * power >= rough) ?? 1))
  const count = Math.max(1, Math.ceil(top / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The position of a value on the axis, always from 0 to 1. */
export function shareOf(value: number, max: number): number {
  if (!(value > 0) || !(max > 0)) return 0
  return Number.isFinite(max) ? Math.min(1, value / max) : 0
}

/** `12%`, `<1%`; empty if the total is 0. */
export function formatShare(value: number, total: number): string {
  const percent = 100 * shareOf(value, total)
  if (percent > 0 && percent < 1) return '<1%'
  return `${Math.round(percent)}%`
}
