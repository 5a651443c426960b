const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1_000
const YEAR_10000 = Date.UTC(10_000, 0)
/** The maximum number of cached days. */
const MAX_DAYS = 1_000

const digits = (width: number) =>
  Array.from({ length: 10 ** width }, (_, value) => String(value).padStart(width, '0'))
const TWO_DIGITS = digits(2)
const THREE_DIGITS = digits(3)
const days = new Map<number, string>()

/** A time as `2026-11-15T09:30:00.000Z`. `Date` produces the same text, but takes four times as long, and a page of a list has a hundred times. */
export function isoTime(time: number): string {
  const day = Math.floor(time / DAY_MS)
  const rest = time - day * DAY_MS
  const hour = TWO_DIGITS[Math.floor(rest / HOUR_MS)]
  const minute = TWO_DIGITS[Math.floor((rest % HOUR_MS) / MINUTE_MS)]
  const second = TWO_DIGITS[Math.floor((rest % MINUTE_MS) / SECOND_MS)]
  return `${textOf(day)}${hour}:${minute}:${second}.${THREE_DIGITS[rest % SECOND_MS]}Z`
}

/** Times with a four-digit year in UTC: 1970 to 9999. */
export function isFourDigitTime(time: number): boolean {
  return time >= 0 && time < YEAR_10000
}

/** A time from a report; `null` if an earlier release stored one that {@link isFourDigitTime} does not allow. */
export function isoReportedTime(time: number | null): string | null {
  return time === null || !isFourDigitTime(time) ? null : isoTime(time)
}

/** The day as `2026-11-15T`. */
function textOf(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (days.size >= MAX_DAYS) days.clear()
  days.set(day, text)
  return text
}
