import { hash } from 'node:crypto'
import { DomainError } from './domain-error.ts'

const BINDING_CHARS = 8

/** A place in a list, bound to the list's filters. It is opaque to clients and grants nothing. */
export function encodeCursor(filters: readonly unknown[], beforeNumber: number): string {
  return Buffer.from(JSON.stringify([bindingOf(filters), beforeNumber])).toString('base64url')
}

/** The place a cursor names. Fails for a cursor of another list. */
export function decodeCursor(filters: readonly unknown[], cursor: string): number {
  const [binding, beforeNumber] = parse(cursor)
  if (
    typeof binding !== 'string' ||
    typeof beforeNumber !== 'number' ||
    !Number.isSafeInteger(beforeNumber)
  ) {
    throw new DomainError('invalid-cursor', { detail: 'The cursor is not one that this server gave.' })
  }
  if (binding !== bindingOf(filters)) {
    throw new DomainError('invalid-cursor', {
      detail: 'The cursor belongs to a list with other filters. Repeat the filters it was given with.',
    })
  }
  return beforeNumber
}

function bindingOf(filters: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(filters), 'base64url').slice(0, BINDING_CHARS)
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
