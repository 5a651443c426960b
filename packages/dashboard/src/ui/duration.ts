const UNITS = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'min', seconds: 60 },
  { unit: 's', seconds: 1 },
] as const

/** From here on, whole numbers are precise enough. */
const COARSE = 10

/** A length of time in its largest unit: `3.9 d`, `45 min`, `0 s`. */
export function formatDuration(seconds: number): string {
  const { unit, seconds: size } = UNITS.find((candidate) => seconds >= candidate.seconds) ?? UNITS[3]
  const amount = Math.max(0, seconds) / size
  const rounded = amount < COARSE && unit !== 's' ? Math.round(amount * 10) / 10 : Math.round(amount)
  return `${rounded} ${unit}`
}
