import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { submit, retrieve } = stage

describe('a page that is closing', () => {
  const beacon = (body: unknown, headers = {}) =>
    stage.api.send('POST', '/v1/issues', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    })

  it('sends its key in a text/plain body', async () => {
    const { status, body } = await beacon({ title: 'Sent by a beacon', publicKey: stage.project.publicKey })
    expect(status).toBe(201)
    expect((await retrieve(body.id)).body.title).toBe('Sent by a beacon')
  })

  it('names the same submission as one with a header would', async () => {
    const first = await beacon({
      title: 'Both ways',
      submissionId: 'both',
      publicKey: stage.project.publicKey,
    })
    expect((await submit({ title: 'Both ways', submissionId: 'both' })).body).toEqual(first.body)
  })

  it.each([
    ['no key', undefined, 401, 'credentials-required'],
    ['a number', 5, 401, 'credentials-required'],
    ['a made-up key', 'bgl_pub_123', 401, 'invalid-credentials'],
  ])('with %s is refused', async (_, publicKey, status, code) => {
    const answer = await beacon({ title: 'x', ...(publicKey !== undefined && { publicKey }) })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('cannot use a secret key', async () => {
    expect((await beacon({ title: 'x', publicKey: stage.project.secretKey })).body.code).toBe(
      'invalid-credentials',
    )
  })
})

describe('pages of other origins', () => {
  it('may send a preflight, without a key', async () => {
    const { status, headers } = await stage.api.send('OPTIONS', '/v1/issues', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('POST')
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Idempotency-Key')
    expect(headers.get('access-control-max-age')).toBe('7200')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may send a preflight for a file', async () => {
    const path = `/v1/submissions/one/attachments/${'0'.repeat(64)}`
    const { status, headers } = await stage.api.send('OPTIONS', path, {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('PUT')
  })

  it('can read every response, including errors', async () => {
    for (const body of [{ title: 'x' }, { title: '' }, '{']) {
      const { headers } = await submit(body, { origin: 'https://app.example' })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After.*Date/)
    }
    const { headers } = await submit({ title: 'x' }, { origin: 'https://app.example' }, 'nonsense')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('use a key only if its list names them', async () => {
    const key = await stage.api.addKey({
      project: stage.project,
      kind: 'public',
      origins: ['https://app.example'],
    })
    expect((await submit({ title: 'x' }, { origin: 'https://app.example' }, key)).status).toBe(201)
    expect((await submit({ title: 'x' }, {}, key)).status).toBe(201)
    const { status, body } = await submit({ title: 'x' }, { origin: 'https://evil.example' }, key)
    expect([status, body.code]).toEqual([403, 'origin-not-allowed'])
  })

  it('never use a secret key', async () => {
    const { status, body } = await submit(
      { title: 'x' },
      { origin: 'https://app.example' },
      stage.project.secretKey,
    )
    expect([status, body.code]).toEqual([403, 'secret-key-in-browser'])
  })
})
