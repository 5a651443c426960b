import { Agent, request } from 'undici'
import { isCut } from '../load.ts'

/** No single answer may take longer: a hanging node fails a test, it does not hang it. */
const ANSWER_TIMEOUT_MS = 30_000

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
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  readonly body: any
}

/** Asks a node; `undefined` if it was gone before it answered. */
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
