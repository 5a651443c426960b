import { expect, it } from 'vitest'
import { endpoints } from '../../index.ts'
import { REPORTER_HEADER } from '../../vocabulary/conversations.ts'
import type { Endpoint } from '../endpoint.ts'

const ALL = Object.values<Endpoint>(endpoints)
const namesOf = (some: readonly Endpoint[]) => some.map(({ name }) => name)

it('endpoints are for reporters if and only if they need the secret of one', () => {
  const withSecret = ALL.filter(({ headers = {} }) => REPORTER_HEADER in headers)
  expect(namesOf(withSecret)).toHaveLength(4)
  expect(namesOf(ALL.filter(({ isForReporters }) => isForReporters))).toEqual(namesOf(withSecret))
})

it('only messages from reporters have the rate limits of submissions without being submissions', () => {
  expect(namesOf(ALL.filter(({ countsAsSubmission }) => countsAsSubmission))).toEqual(['sendMyMessage'])
})
