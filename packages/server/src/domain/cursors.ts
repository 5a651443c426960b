import { hash } from 'node:crypto'
import { DomainError } from './domain-error.ts'

const BINDING_CHARS = 8

/** A place in a list, bound to what is listed. It is opaque to clients and grants nothing. */
export function encodeCursor(list: readonly unknown[], place: readonly number[]): string {
  return Buffer.from(JSON.stringify([bindingOf(list), ...place])).toString('base64url')
}

/** The place a cursor names, as so many numbers. Fails for a cursor of another list. */
export function decodeCursor(list: readonly unknown[], cursor: string, numbers: number): readonly number[] {
  const [binding, ...place] = parse(cursor)
  if (place.length !== numbers || !place.every((number) => Number.isSafeInteger(number))) {
    throw invalidCursor()
  }
  if (binding !== bindingOf(list)) {
    throw new DomainError('invalid-cursor', {
      detail: 'The cursor belongs to a list with other filters. Repeat the filters it was given with.',
    })
  }
  return place as readonly number[]
}

/** For a text that no server of ours can have returned as a cursor. */
export function invalidCursor(): DomainError {
  return new DomainError('invalid-cursor', { detail: 'The cursor is not one that this server returned.' })
}

function bindingOf(list: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, BINDING_CHARS)
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    // Whatever is not JSON is no cursor, which the caller says.
    return []
  }
}
