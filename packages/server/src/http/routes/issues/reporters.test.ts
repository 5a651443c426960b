import { MAX_CONTEXT_FIELDS, MAX_CONTEXT_STRING_CHARS, MAX_REPORTER_CHARS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()

const ADA = { id: '4711', name: 'Ada', email: 'Ada@Example.com' }
const CONTEXT = { page: 'https://app.example/settings', width: 390, isOnline: true }

async function startProject(options: Parameters<typeof stage.api.addProject>[0] = {}) {
  const own = await stage.api.addProject(options)
  const key = own.secretKey
  return {
    own,
    submit: (body: object) =>
      stage.api.send('POST', '/v1/issues', { key: own.publicKey, body: { title: 'Blank', ...body } }),
    read: async (path: string) => (await stage.api.send('GET', path, { key })).body,
    send: (method: string, path: string) => stage.api.send(method, path, { key }),
    async list(query: string): Promise<readonly number[]> {
      const { body } = await stage.api.send('GET', `/v1/issues?sort=oldest&${query}`, { key })
      return body.data.map(({ issueNumber }: { issueNumber: number }) => issueNumber)
    },
  }
}

describe('context and reporter of a report', () => {
  it('are stored with the report, and shown with it and with the issue', async () => {
    const { submit, read } = await startProject()
    const { body: issue } = await submit({ fingerprint: 'f', context: CONTEXT, reporter: ADA })
    await submit({ fingerprint: 'f', reporter: { email: ' bob@example.com ', name: '' } })
    await submit({ fingerprint: 'f', context: null, reporter: { id: '', name: ' ', email: null } })
    const { data } = await read(`/v1/issues/${issue.id}/reports`)
    expect(data).toMatchObject([
      { context: null, reporter: null },
      { context: null, reporter: { id: null, name: null, email: 'bob@example.com' } },
      { context: CONTEXT, reporter: ADA },
    ])
    const shown = await read(`/v1/issues/${issue.id}`)
    expect(shown).toMatchObject({ context: CONTEXT, reporter: ADA, reporterCount: 2, reportCount: 3 })
    const short = await read(`/v1/issues/${issue.id}/reports?includeText=false`)
    expect(short.data[2]).toMatchObject({ title: null, context: null, reporter: ADA })
  })

  it('are null for anonymous readers, who cannot filter by reporter either', async () => {
    const { own, submit } = await startProject({ isPublic: true })
    const { body: issue } = await submit({ context: CONTEXT, reporter: ADA })
    const anonymous = (path: string) => stage.api.send('GET', path)
    const hidden = { context: null, reporter: null, reporterCount: null }
    expect((await anonymous(`/v1/issues/${issue.id}`)).body).toMatchObject(hidden)
    expect((await anonymous(`/v1/issues?projectId=${own.slug}`)).body.data[0].reporterCount).toBeNull()
    expect((await anonymous(`/v1/issues?projectId=${own.slug}&reporter=4711`)).status).toBe(401)
    expect((await anonymous(`/v1/issues/counts?projectId=${own.slug}&reporter=4711`)).status).toBe(401)
    expect((await anonymous(`/v1/issues/${issue.id}/reports`)).status).toBe(401)
  })

  it('have limits', async () => {
    const { submit } = await startProject()
    const many = Object.fromEntries(Array.from({ length: MAX_CONTEXT_FIELDS + 1 }, (_, n) => [`c${n}`, n]))
    const { c0: _, ...most } = many
    expect((await submit({ context: most })).status).toBe(201)
    for (const [body, pointer] of [
      [{ context: many }, '#/context'],
      [{ context: { a: 'x'.repeat(MAX_CONTEXT_STRING_CHARS + 1) } }, '#/context/a'],
      [{ context: { a: { b: 1 } } }, '#/context/a'],
      [{ reporter: { id: 'x'.repeat(MAX_REPORTER_CHARS + 1) } }, '#/reporter/id'],
      [{ reporter: { id: 7 } }, '#/reporter/id'],
      [{ reporter: { phone: '1' } }, '#/reporter/phone'],
      [{ reporter: 'ada' }, '#/reporter'],
    ] as const) {
      const { status, body: problem } = await submit(body)
      expect([status, problem.errors[0].pointer]).toEqual([422, pointer])
    }
  })

  it('belong to the content of a submission', async () => {
    const { submit } = await startProject()
    const sent = { submissionId: 'one', context: CONTEXT, reporter: ADA }
    const { body: first } = await submit(sent)
    const again = await submit({ ...sent, reporter: { ...ADA, name: ' Ada ' } })
    expect([again.status, again.body.id]).toEqual([201, first.id])
    expect((await submit({ ...sent, reporter: { ...ADA, name: 'Eve' } })).status).toBe(409)
    expect((await submit({ ...sent, context: { ...CONTEXT, width: 391 } })).status).toBe(409)
    expect((await submit({ submissionId: 'one' })).status).toBe(409)
  })

  it('are removed when the report is redacted', async () => {
    const { submit, read, send, list } = await startProject()
    const { body: issue } = await submit({ context: CONTEXT, reporter: ADA })
    const { data } = await read(`/v1/issues/${issue.id}/reports`)
    const redacted = await send('POST', `/v1/issues/${issue.id}/reports/${data[0].id}/redact`)
    expect(redacted.body).toMatchObject({ context: null, reporter: null })
    expect(await read(`/v1/issues/${issue.id}`)).toMatchObject({
      context: null,
      reporter: null,
      reporterCount: 0,
    })
    expect(await list('reporter=4711')).toEqual([])
  })
})

describe('reporter=', () => {
  it('finds issues by the id or the email address of a reporter', async () => {
    const { submit, read, list } = await startProject()
    await submit({ reporter: ADA })
    await submit({ reporter: { email: 'bob@example.com' }, fingerprint: 'f' })
    await submit({ reporter: ADA, fingerprint: 'f' })
    await submit({ reporter: { id: 'a,b' } })
    await submit({ reporter: ADA, category: 'security' })
    expect(await list('reporter=4711')).toEqual([1, 2, 4])
    expect(await list('reporter=ada@example.com')).toEqual([1, 2, 4])
    expect(await list('reporter=bob@example.com,a\\,b')).toEqual([2, 3])
    expect(await list('reporter=4711&category=security')).toEqual([4])
    expect(await list('reporter=nobody')).toEqual([])
    expect(await read('/v1/issues/counts?reporter=4711')).toMatchObject({ total: 3, byStatus: { open: 3 } })
  })
})
