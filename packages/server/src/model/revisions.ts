import { hash } from 'node:crypto'

const REVISION_CHARS = 16

/** Identifies the state of a record, so that a change based on an outdated state can be refused. Equal records have the same. */
export function revisionOf(record: object): string {
  return hash('sha256', JSON.stringify(record, sortKeys), 'base64url').slice(0, REVISION_CHARS)
}

/** The order of fields does not matter. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
