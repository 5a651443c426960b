import { hash } from 'node:crypto'
import { DomainError } from './domain-error.ts'

const BINDING_CHARS = 8

/** A position in a list, bound to its filters. It is opaque to clients and grants no access. */
export function encodeCursor(list: readonly unknown[], place: readonly number[]): string {
  return Buffer.from(JSON.stringify([bindingOf(list), ...place])).toString('base64url')
}

/** The numbers in a cursor: this many, or any number of them. Fails for a cursor of another list. */
export function decodeCursor(list: readonly unknown[], cursor: string, numbers?: number): readonly number[] {
  const [binding, ...place] = parse(cursor)
  if (place.length !== (numbers ?? place.length) || !place.every((number) => Number.isSafeInteger(number))) {
    throw invalidCursor()
  }
  if (binding !== bindingOf(list)) throw cursorOfOtherList()
  return place as readonly number[]
}

/** The same for a position that is a text. */
export function encodeTextCursor(list: readonly unknown[], place: string): string {
  return Buffer.from(JSON.stringify([bindingOf(list), place])).toString('base64url')
}

export function decodeTextCursor(list: readonly unknown[], cursor: string): string {
  const [binding, place, ...more] = parse(cursor)
  if (typeof place !== 'string' || more.length > 0) throw invalidCursor()
  if (binding !== bindingOf(list)) throw cursorOfOtherList()
  return place
}

/** For a text that cannot be a cursor of this server. */
export function invalidCursor(): DomainError {
  return new DomainError('invalid-cursor', { detail: 'The cursor is not one that this server returned.' })
}

function cursorOfOtherList(): DomainError {
  return new DomainError('invalid-cursor', {
    detail: 'The cursor belongs to a list with other filters. Repeat the request with the original filters.',
  })
}

function bindingOf(list: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, BINDING_CHARS)
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    // Not JSON, so not a cursor; the caller reports that.
    return []
  }
}
