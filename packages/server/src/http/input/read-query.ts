import { splitList } from '@bugle/contract'
import type { TSchema } from 'typebox'
import { DomainError } from '../../domain/domain-error.ts'

/** Turns the texts of a query string into the types its schema wants. What does not fit stays text, and validation names it. */
export function readQuery(schema: TSchema, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {}
  const entries = Object.entries(raw).map(([name, value]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    return [name, type === 'array' ? listOf(value) : readOne(name, value, type)]
  })
  return Object.fromEntries(entries)
}

function readOne(name: string, value: unknown, type: unknown): unknown {
  if (Array.isArray(value)) {
    throw new DomainError('invalid-parameter', {
      detail: `${name} is given more than once.`,
      faults: [{ parameter: name, code: 'repeated', detail: `${name} must be given once.` }],
    })
  }
  return type === 'integer' && /^-?\d{1,15}$/.test(String(value)) ? Number(value) : value
}

/** `a,b` and a repeated parameter are the same list; `\,` is a comma in a value. */
function listOf(value: unknown): string[] {
  return [value].flat().flatMap((part) => splitList(String(part)))
}
