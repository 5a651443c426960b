const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/** A size for people: "48 KB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const value = bytes / 1_000 ** power
  const maximumFractionDigits = power > 0 && value < 10 ? 1 : 0
  return `${value.toLocaleString('en', { maximumFractionDigits })} ${UNITS[power]}`
}
