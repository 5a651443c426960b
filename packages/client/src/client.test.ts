import { type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../server/test-support/start-app.ts'
import { type Client, createClient } from './client.ts'
import { ApiProblem, ApiUnreachable } from './problems.ts'

const METRICS_TOKEN = 'a-token-for-the-metrics'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { BUGLE_METRICS_TOKEN: METRICS_TOKEN } })
})
afterAll(() => app[Symbol.asyncDispose]())

async function connect(): Promise<{ client: Client; project: TestProject }> {
  const project = await app.addProject()
  return { client: createClient({ url: app.url, key: project.secretKey }), project }
}

describe('a call', () => {
  it('submits an issue and retrieves it', async () => {
    const { client } = await connect()
    const submitted = await client.call(endpoints.submitIssue, { body: { title: 'Blank screen' } })
    expect(submitted).toMatchObject({ status: 201, body: { title: 'Blank screen', issueNumber: 1 } })
    const { body } = await client.call(endpoints.retrieveIssue, { params: { id: submitted.body.id } })
    expect(body).toMatchObject({ title: 'Blank screen', status: 'open', reportCount: 1 })
  })

  it('reads a response that is not JSON as text', async () => {
    const { body } = await createClient({ url: app.url, key: METRICS_TOKEN }).call(endpoints.readMetrics)
    expect(body).toContain('bugle_storage_up 1')
  })

  it('finds values with commas and backslashes', async () => {
    const { client } = await connect()
    for (const appVersion of ['1.0,beta', 'a\\', '2.0'])
      await client.call(endpoints.submitIssue, { body: { title: 'Blank', appVersion } })
    const query = { appVersion: ['1.0,beta', 'a\\'] }
    const { body } = await client.call(endpoints.listIssues, { query })
    expect(body.data.map(({ appVersion }) => appVersion)).toEqual(['a\\', '1.0,beta'])
  })

  it('recognises a replayed submission by its header', async () => {
    const { client } = await connect()
    const submission = { body: { title: 'Twice' }, headers: { 'Idempotency-Key': 'twice-1' } }
    const first = await client.call(endpoints.submitIssue, submission)
    const second = await client.call(endpoints.submitIssue, submission)
    expect(first.headers.has('Idempotency-Replayed')).toBe(false)
    expect(second.headers.get('Idempotency-Replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
  })

  it('changes and deletes an issue', async () => {
    const { client } = await connect()
    const { body: record } = await client.call(endpoints.submitIssue, { body: { title: 'Blank' } })
    const params = { id: record.id }
    const { headers } = await client.call(endpoints.retrieveIssue, { params })
    const change = {
      params,
      body: { status: 'closed' },
      headers: { 'If-Match': headers.get('ETag') ?? '' },
    } as const
    expect((await client.call(endpoints.changeIssue, change)).body).toMatchObject({
      status: 'closed',
      version: 2,
    })
    expect(await failureOf(client.call(endpoints.changeIssue, change))).toMatchObject({
      code: 'precondition-failed',
    })
    expect(await client.call(endpoints.deleteIssue, { params })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await failureOf(client.call(endpoints.retrieveIssue, { params }))).toMatchObject({
      code: 'not-found',
    })
  })

  it('recognises a report that joined an issue by its status', async () => {
    const { client } = await connect()
    const submission = { body: { title: 'Again', fingerprint: 'again' } }
    await client.call(endpoints.submitIssue, submission)
    const joined = await client.call(endpoints.submitIssue, submission)
    expect(joined).toMatchObject({ status: 200, body: { issueNumber: 1, reportCount: 2 } })
  })

  it('finds a server behind a path, with or without a trailing slash', async () => {
    const seen = recordingFetch()
    await createClient({ url: 'http://bugle.test/tracker/', fetch: seen.fetch }).call(endpoints.checkHealth)
    expect(seen.requests).toMatchObject([{ url: 'http://bugle.test/tracker/healthz' }])
  })

  it('joins lists with commas, omits undefined values and encodes the others', async () => {
    const seen = recordingFetch()
    const client = createClient({ url: 'http://bugle.test', fetch: seen.fetch })
    await client.call(endpoints.listIssues, {
      query: { status: ['open', 'closed'], q: 'a&b=ü', sort: undefined },
    })
    await client.call(endpoints.getProject, { params: { idOrSlug: 'a/b?c' } })
    expect(seen.requests.map(({ url }) => url)).toEqual([
      'http://bugle.test/v1/issues?status=open%2Cclosed&q=a%26b%3D%C3%BC',
      'http://bugle.test/v1/projects/a%2Fb%3Fc',
    ])
  })

  it.each(['', '.', '..'])('refuses %j in a path, because it would change the path', async (id) => {
    const seen = recordingFetch()
    const client = createClient({ url: 'http://bugle.test', fetch: seen.fetch })
    await expect(client.call(endpoints.deleteIssue, { params: { id } })).rejects.toThrow(TypeError)
    expect(seen.requests).toEqual([])
  })

  it("sends a body as its endpoint's first media type, with key and headers", async () => {
    const seen = recordingFetch()
    const client = createClient({ url: 'http://bugle.test', key: 'bgl_sec_x', fetch: seen.fetch })
    const change = { params: { id: 'iss_1' }, body: { note: 'ü' }, headers: { 'If-Match': '"3"' } }
    await client.call(endpoints.changeIssue, change)
    const [request] = seen.requests
    expect(request).toMatchObject({ method: 'PATCH', url: 'http://bugle.test/v1/issues/iss_1' })
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: 'Bearer bgl_sec_x',
      'content-type': 'application/merge-patch+json',
      'if-match': '"3"',
    })
    expect(await request?.json()).toEqual({ note: 'ü' })
  })
})

describe("a page of the server's own", () => {
  it('calls as the person who is signed in, and sends the CSRF header with every change', async () => {
    const seen = recordingFetch()
    const client = createClient({ url: 'http://bugle.test', usesCookie: true, fetch: seen.fetch })
    await client.call(endpoints.getSession)
    await client.call(endpoints.signOut)
    await client.call(endpoints.changeIssue, { params: { id: 'iss_1' }, body: { note: 'a' } })
    expect(seen.requests.map(({ credentials }) => credentials)).toEqual(Array(3).fill('same-origin'))
    expect(seen.requests.map(({ headers }) => headers.get('Bugle-Csrf'))).toEqual([null, '1', '1'])
  })

  it('does not send cookies with a key', async () => {
    const seen = recordingFetch()
    await createClient({ url: 'http://bugle.test', key: 'bgl_sec_x', fetch: seen.fetch }).call(
      endpoints.signOut,
    )
    expect(seen.requests[0]?.credentials).toBe('omit')
    expect(seen.requests[0]?.headers.has('Bugle-Csrf')).toBe(false)
  })
})

describe('iteration', () => {
  it('reads the pages of a list on demand', async () => {
    const { client } = await connect()
    for (let number = 1; number <= 7; number++)
      await client.call(endpoints.submitIssue, { body: { title: `Issue ${number}` } })
    const numbers: number[] = []
    for await (const issue of client.items(endpoints.listIssues, { query: { pageSize: 3, page: 1 } }))
      numbers.push(issue.issueNumber)
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1])

    const sizes: number[] = []
    for await (const { data } of client.pages(endpoints.listIssues, { query: { pageSize: 3 } })) {
      sizes.push(data.length)
      if (sizes.length === 2) break
    }
    expect(sizes).toEqual([3, 3])
  })

  it('continues after an empty page that has a cursor', async () => {
    const pages = [
      { data: [], pagination: { nextCursor: 'c' } },
      { data: [{ issueNumber: 1 }], pagination: { nextCursor: null } },
    ]
    const seen = recordingFetch(() => Response.json(pages.shift()))
    const client = createClient({ url: 'http://bugle.test', fetch: seen.fetch })
    const found: unknown[] = []
    for await (const issue of client.items(endpoints.listIssues, { query: { q: 'rare' } })) found.push(issue)
    expect(found).toEqual([{ issueNumber: 1 }])
    expect(seen.requests[1]?.url).toBe('http://bugle.test/v1/issues?q=rare&cursor=c')
  })
})

describe('a refusal', () => {
  it('is a problem with code, status and faults', async () => {
    const { client } = await connect()
    const error = await failureOf(client.call(endpoints.submitIssue, { body: { title: ' ' } }))
    expect(error).toBeInstanceOf(ApiProblem)
    expect(error).toMatchObject({
      status: 422,
      code: 'validation-failed',
      retryAfterSeconds: null,
      problem: { errors: [{ pointer: '#/title' }] },
    })
    expect((error as ApiProblem).message).toBe((error as ApiProblem).problem.detail)
  })

  it('has the fields that its code adds', async () => {
    const { client } = await connect()
    const { body: record } = await client.call(endpoints.submitIssue, { body: { title: 'Moved' } })
    const params = { id: record.id }
    await client.call(endpoints.changeIssue, { params, body: { status: 'wontfix' } })
    const error = await failureOf(client.call(endpoints.changeIssue, { params, body: { status: 'closed' } }))
    expect(error).toMatchObject({
      code: 'invalid-transition',
      problem: { from: 'wontfix', to: 'closed', allowed: ['open'] },
    })
  })

  it('keeps unknown codes, fields and delays', async () => {
    const problem = { code: 'teapot', title: 'T', detail: 'Short and stout.', lid: { isOpen: true } }
    const answer = () =>
      Response.json(problem, {
        status: 418,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '7' },
      })
    const client = createClient({ url: 'http://bugle.test', fetch: recordingFetch(answer).fetch })
    const error = await failureOf(client.call(endpoints.checkHealth))
    expect(error).toMatchObject({ code: 'teapot', status: 418, retryAfterSeconds: 7, problem })
  })

  it.each<[string, () => Response, number]>([
    ['the page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['JSON that is no problem', () => Response.json({ oops: 1 }, { status: 500 }), 500],
    ['a success that is not JSON', () => new Response('<h1>Welcome</h1>'), 200],
  ])('that is not from Bugle, %s, is unreachable', async (_, answer, status) => {
    const client = createClient({ url: 'http://bugle.test', fetch: recordingFetch(answer).fetch })
    const error = await failureOf(client.call(endpoints.checkHealth))
    expect(error).toBeInstanceOf(ApiUnreachable)
    expect(error).toMatchObject({ status })
  })
})

describe('no response', () => {
  it('is unreachable, with its cause, and is not retried', async () => {
    const seen = recordingFetch(() => {
      throw new TypeError('fetch failed')
    })
    const error = await failureOf(
      createClient({ url: 'http://bugle.test', fetch: seen.fetch }).call(endpoints.checkHealth),
    )
    expect(error).toBeInstanceOf(ApiUnreachable)
    expect(error).toMatchObject({ status: null, cause: new TypeError('fetch failed') })
    expect(seen.requests).toHaveLength(1)
  })

  it('after the caller aborts the call rejects with the reason of the caller', async () => {
    const { client } = await connect()
    const call = client.call(endpoints.checkHealth, { signal: AbortSignal.abort('enough') })
    expect(await failureOf(call)).toBe('enough')
  })
})

it('calls every endpoint of the table with its method and path', async () => {
  const seen = recordingFetch()
  const client: { call(endpoint: Endpoint, input: object): Promise<unknown> } = createClient({
    url: 'http://bugle.test',
    fetch: seen.fetch,
  })
  const all = Object.values<Endpoint>(endpoints)
  for (const endpoint of all) {
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    await client.call(endpoint, { params: Object.fromEntries(names.map((name) => [name, 'x'])) })
  }
  expect(seen.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(
    all.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
  )
})

/** A `fetch` that records requests and returns the given responses. */
function recordingFetch(answer: () => Response = () => Response.json({})) {
  const requests: Request[] = []
  return {
    requests,
    fetch: async (...request: Parameters<typeof fetch>) => {
      requests.push(new Request(...request))
      return answer()
    },
  }
}

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it should not have worked'),
    (error: unknown) => error,
  )
}
