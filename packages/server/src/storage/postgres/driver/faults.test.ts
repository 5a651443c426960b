import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { StorageUnavailable } from '../../storage.ts'
import { toFault } from './faults.ts'

describe('the faults of PostgreSQL', () => {
  it.each([
    ['57P01', 'terminating connection due to administrator command', true],
    ['40P01', 'deadlock detected', true],
    ['23505', 'duplicate key value violates unique constraint "issues_pkey"', false],
    ['XX000', 'failure on connection marked as essential: 10.0.0.7:5432', true],
    ['XX000', 'cache lookup failed for type 12345', false],
  ])('%s, %s: retried later: %s', (code, message, isTransient) => {
    expect(toFault(databaseError(code, message)) instanceof StorageUnavailable).toBe(isTransient)
  })

  it.each([
    ['55P03', 'canceling statement due to lock timeout', 'Another transaction held a lock for too long.'],
    ['57014', 'canceling statement due to statement timeout', 'A statement took too long.'],
    ['40P01', 'deadlock detected', 'The transaction conflicted with another one.'],
    ['53300', 'sorry, too many clients already', 'The database has no resources left.'],
    ['53100', 'could not extend file', 'The disk of the database is full.'],
    ['57P01', 'terminating connection due to administrator command', 'The database is unreachable.'],
  ])('%s, %s: %s', (code, message, words) => {
    expect(toFault(databaseError(code, message)).message).toBe(words)
  })

  it('a connection that cannot be opened: the database is unreachable', () => {
    expect(toFault(new Error('connect ECONNREFUSED')).message).toBe('The database is unreachable.')
  })
})

function databaseError(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
}
