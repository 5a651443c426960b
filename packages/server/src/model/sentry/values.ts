import { clip } from '../crashes/clip-text.ts'

/** An object of unknown origin. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; `undefined` if it is something else. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The field of an object, as an object; empty if it is something else. */
export function within(value: unknown, name: string): Fields {
  return fieldsOf(fieldsOf(value)?.[name]) ?? {}
}

/** The entries of a list, also of one in an object's field `values`; without those that are not objects. */
export function listOf(value: unknown): readonly Fields[] {
  const list: unknown = Array.isArray(value) ? value : fieldsOf(value)?.['values']
  return Array.isArray(list) ? list.map(fieldsOf).filter((entry) => entry !== undefined) : []
}

/** The value as text that can be stored, at most `maxChars` code points long; `undefined` if there is none. */
export function textOf(value: unknown, maxChars: number): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).slice(0, maxChars)
  if (typeof value !== 'string') return undefined
  const text = clip(value, maxChars)
  return text.trim() === '' ? undefined : text
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
