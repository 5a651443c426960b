/** The start of a day (`2026-11-15`) in the local time zone; `null` if the text is not a day. */
export function startOfDay(day: string): string | null {
  return momentOf(day, 0)
}

/** The end of a day, exclusive. */
export function endOfDay(day: string): string | null {
  return momentOf(day, 1)
}

/** The local day of a time, optionally shifted by some milliseconds. */
export function dayOf(moment: string, shiftMs = 0): string {
  const date = new Date(Date.parse(moment) + shiftMs)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function momentOf(day: string, shiftDays: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return null
  return new Date(Number(year), Number(month) - 1, Number(date) + shiftDays).toISOString()
}
