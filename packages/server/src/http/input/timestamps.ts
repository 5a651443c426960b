import { isFourDigitTime } from '../../domain/iso-time.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Whether the text is a moment as RFC 3339 writes it, and one that exists: not the 30th of February. */
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

/** The same, and one that comes back in the same form: in UTC its year has four digits. */
export function isStorableTimestamp(text: string): boolean {
  return isTimestamp(text) && isFourDigitTime(Date.parse(text))
}
