import { within } from '../guard.ts'
import type { HttpRequest, HttpResponse, Platform } from '../platform.ts'
import type { Answer } from './answers.ts'

const NO_ANSWER: Answer = { status: 0 }
/** More than any response of the server: a conversation has up to 256 Ki characters. A hostile server may send an endless one. */
export const MAX_ANSWER_BYTES = 1_000_000

export interface Requests {
  /** Sends a request and reads the whole response; never rejects. The request is sent before the call returns. */
  _request(resource: string, request: HttpRequest, timeoutMs: number): Promise<Answer>
  /** Aborts requests in flight, as if there were no response. */
  _abortAll(): void
}

export function createRequests(endpoint: string, { fetch, _later: later }: Platform): Requests {
  const aborts = new Set<AbortController>()

  async function exchange(resource: string, request: HttpRequest): Promise<Answer> {
    const response = await fetch(`${endpoint}/v1/${resource}`, request)
    const { status, headers } = response
    // Read even where only the status counts: until then the body occupies the keepalive quota (measured in Chromium).
    const body = parseJson(await readStart(response))
    return {
      status,
      body,
      _headers: headers,
      _retryAfter: headers.get('retry-after'),
      _date: headers.get('date'),
    }
  }

  return {
    async _request(resource, request, timeoutMs) {
      try {
        const abort = new AbortController()
        aborts.add(abort)
        const answer = exchange(resource, { ...request, signal: abort.signal })
        const inTime = await within(answer, timeoutMs, later).finally(() => aborts.delete(abort))
        if (!inTime) abort.abort()
        return inTime ?? NO_ANSWER
      } catch {
        // A patched `fetch` may throw anything. It counts as no response.
        return NO_ANSWER
      }
    },
    _abortAll() {
      for (const abort of aborts) abort.abort()
    },
  }
}

/** The text of a response, or nothing if it is too long. React Native has no streams, and Node limits it itself. */
async function readStart(response: HttpResponse): Promise<string> {
  const reader = globalThis.TextDecoder && response.body?.getReader()
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  while (text.length <= MAX_ANSWER_BYTES) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return ''
}

/** The value of a JSON text; `undefined` if it is invalid. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    // A captive portal responds with a page, and a full disk leaves half a file: treated as missing.
    return undefined
  }
}
