import { MAX_LISTED_FAULTS } from '@bugle/contract'
import type { TSchema } from 'typebox'

/**
 * An invalid value, cut to what is needed to report its faults: of unknown names and of entries beyond the allowed number,
 * only as many as faults are listed. A body can have tens of thousands, and each would become a fault. A value with
 * too many entries still has too many after it is cut, so it stays invalid.
 */
export function cutValue(value: unknown, schema: TSchema): unknown {
  if (Array.isArray(value)) return cutArray(value, schema as ArraySchema)
  return typeof value === 'object' && value !== null ? cutObject(value, schema as ObjectSchema) : value
}

interface ArraySchema {
  readonly maxItems?: number
}

function cutArray(entries: readonly unknown[], { maxItems = 0 }: ArraySchema): readonly unknown[] {
  // Not the entries themselves: no request schema has a list of objects.
  return entries.slice(0, maxItems + MAX_LISTED_FAULTS)
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly maxProperties?: number
}

function cutObject(value: object, { properties = {}, maxProperties = 0 }: ObjectSchema): object {
  const unknown: string[] = []
  const cut: [string, unknown][] = []
  for (const name in value) {
    if (Object.hasOwn(properties, name)) continue
    if (unknown.length >= maxProperties + MAX_LISTED_FAULTS) break
    unknown.push(name)
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) cut.push([name, cutValue(value[name as keyof typeof value], schema)])
  }
  cut.push(...unknown.map((name): [string, unknown] => [name, value[name as keyof typeof value]]))
  return Object.fromEntries(cut)
}
