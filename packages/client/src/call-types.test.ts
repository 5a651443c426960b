import { endpoints, type Issue, type IssueListItem, type IssueRecord } from '@bugle/contract'
import { describe, expectTypeOf, it } from 'vitest'
import type { Client } from './client.ts'

/** Checked by the compiler: if a line that should be an error compiles, `npm run check` fails. Nothing here is ever called. */
type Calls = (client: Client) => Promise<void>

describe('a typed call', () => {
  it('accepts the input of its endpoint', () => {
    const allowed: Calls = async (client) => {
      const statuses = ['open', 'acknowledged'] as const
      await client.call(endpoints.listIssues)
      await client.call(endpoints.listIssues, { query: { status: statuses, q: undefined, pageSize: 5 } })
      await client.call(endpoints.submitIssue, {
        body: { title: 'Blank' },
        headers: { 'Idempotency-Key': 'a' },
      })
      await client.call(endpoints.changeIssue, {
        params: { id: 'iss_' },
        body: { status: 'resolved' },
        headers: { 'If-Match': '"3"' },
      })
    }
    expectTypeOf(allowed).toExtend<Calls>()
  })

  it('refuses other input', () => {
    const refused: Calls = async (client) => {
      // @ts-expect-error the id is required
      await client.call(endpoints.retrieveIssue)
      // @ts-expect-error the body is required
      await client.call(endpoints.submitIssue, {})
      // @ts-expect-error there is no such field
      await client.call(endpoints.submitIssue, { body: { title: 'Blank', colour: 'red' } })
      // @ts-expect-error there is no such status
      await client.call(endpoints.listIssues, { query: { status: ['lost'] } })
      // @ts-expect-error there is no such parameter
      await client.call(endpoints.listIssues, { query: { colour: 'red' } })
      // @ts-expect-error a retrieval has no body
      await client.call(endpoints.retrieveIssue, { params: { id: 'iss_' }, body: {} })
      // @ts-expect-error a list has no params
      await client.call(endpoints.listIssues, { params: { id: 'iss_' } })
      // @ts-expect-error a submission does not accept this header
      await client.call(endpoints.submitIssue, { body: { title: 'Blank' }, headers: { 'If-Match': '"3"' } })
      // @ts-expect-error callers never receive 304
      await client.call(endpoints.getSdkConfig, { headers: { 'If-None-Match': '"3"' } })
      // @ts-expect-error an issue is not a list
      client.items(endpoints.retrieveIssue, { params: { id: 'iss_' } })
      // @ts-expect-error a list without pages cannot be iterated
      client.pages(endpoints.listProjectKeys, { params: { idOrSlug: 'demo' } })
    }
    expectTypeOf(refused).toExtend<Calls>()
  })

  it('returns the responses of its endpoint', () => {
    const answered: Calls = async (client) => {
      const submitted = await client.call(endpoints.submitIssue, { body: { title: 'Blank' } })
      expectTypeOf(submitted.status).toEqualTypeOf<200 | 201>()
      expectTypeOf(submitted.body).toEqualTypeOf<IssueRecord>()

      const retrieved = await client.call(endpoints.retrieveIssue, { params: { id: 'iss_' } })
      expectTypeOf(retrieved.status).toEqualTypeOf<200>()
      expectTypeOf(retrieved.body).toEqualTypeOf<Issue>()

      const deleted = await client.call(endpoints.deleteIssue, { params: { id: 'iss_' } })
      expectTypeOf(deleted.body).toEqualTypeOf<undefined>()

      for await (const issue of client.items(endpoints.listIssues))
        expectTypeOf(issue).toEqualTypeOf<IssueListItem>()
    }
    expectTypeOf(answered).toExtend<Calls>()
  })
})
