import { Pool } from 'undici'

export const CONNECTIONS = 64

/** The timeout of a single response: a hanging server fails a test instead of blocking it. */
const ANSWER_TIMEOUT_MS = 60_000

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
  readonly body: any
}

/** Sends requests to a server over at most 64 persistent connections. */
export interface Client extends AsyncDisposable {
  submit(report: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  get(path: string): Promise<Answer>
  /** How many connections are open now. */
  countConnections(): number
}

export function openClient(url: string, key: string): Client {
  const pool = new Pool(url, {
    connections: CONNECTIONS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  })
  const authorization = `Bearer ${key}`

  async function request(options: { method: 'GET' | 'POST'; path: string } & Sent): Promise<Answer> {
    const { statusCode, headers, body } = await pool.request(options)
    return { status: statusCode, headers, body: await body.json() }
  }

  return {
    submit: (report, headers) =>
      request({
        method: 'POST',
        path: '/v1/issues',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(report),
      }),
    get: (path) => request({ method: 'GET', path, headers: { authorization } }),
    countConnections: () => pool.stats.connected,
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

interface Sent {
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Processes the items, 64 at a time, and returns the results in the order of the items. */
export async function workThrough<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const entries = Iterator.from(items)
  let index = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let next = entries.next(); !next.done; next = entries.next()) {
        const place = index++
        results[place] = await work(next.value)
      }
    }),
  )
  return results
}

const CUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
])

/** Whether the error only means that the other side has disconnected. */
export function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CUT_CODES.has(error.code)
}
