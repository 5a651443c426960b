import { splitList } from '@bugle/contract'
import type { TSchema } from 'typebox'
import { DomainError } from '../../domain/domain-error.ts'

/** Converts the values of a query string to the types of its schema. Values that do not fit stay strings, and validation reports them. */
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
  if (type === 'integer' && /^-?\d{1,15}$/.test(String(value))) return Number(value)
  if (type === 'boolean' && /^(?:true|false)$/.test(String(value))) return value === 'true'
  return value
}

/** `a,b` and a repeated parameter are the same list; `\,` is a comma in a value. */
function listOf(value: unknown): string[] {
  return [value].flat().flatMap((part) => splitList(String(part)))
}
