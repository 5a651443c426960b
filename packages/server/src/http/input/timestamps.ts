import { isFourDigitTime } from '../../domain/iso-time.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Whether the text is an RFC 3339 time that exists: not 30 February. */
export function isTimestamp(text: string): boolean {
  if (!RFC_3339.test(text)) return false
  const day = text.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  return (
    !Number.isNaN(Date.parse(text)) &&
    !Number.isNaN(midnight.getTime()) &&
    midnight.toISOString().startsWith(day)
  )
}

/** The same, with a four-digit year in UTC, so that it can be shown in the same format. */
export function isStorableTimestamp(text: string): boolean {
  return isTimestamp(text) && isFourDigitTime(Date.parse(text))
}
