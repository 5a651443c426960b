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
    const error = Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })
    expect(toFault(error) instanceof StorageUnavailable).toBe(isTransient)
  })
})
