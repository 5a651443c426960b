import { Agent, request } from 'undici'
import { isCut } from '../load.ts'

/** The timeout of a single response: a hanging node fails a test instead of blocking it. */
const ANSWER_TIMEOUT_MS = 120_000

const dispatcher = new Agent({
  connections: 64,
  headersTimeout: ANSWER_TIMEOUT_MS,
  bodyTimeout: ANSWER_TIMEOUT_MS,
})

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly key: string
  readonly body?: object
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
  readonly body: any
}

/** Sends a request to a node; `undefined` if it stopped before it responded. */
export async function callNode(
  url: string,
  { method = 'GET', path, key, body }: Call,
): Promise<Answer | undefined> {
  try {
    const answer = await request(url + path, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.json() }
  } catch (error) {
    if (isCut(error)) return undefined
    throw error
  }
}
