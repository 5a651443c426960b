import type { Endpoint } from '@bugle/contract'
import type { Answered, AnyPage, CallArguments, Item, Page, Paged } from './call-types.ts'
import { createFileCalls, type FileCalls } from './files.ts'
import { ApiUnreachable, errorOf } from './problems.ts'
import { type AnyCallInput, pathOf, requestOf } from './requests.ts'

/** Calls any endpoint of the contract. It never retries: that is up to the caller. */
export interface Client extends FileCalls {
  /** Resolves to a success; rejects with an `ApiProblem`, or with `ApiUnreachable` if no Bugle server responded. */
  call<E extends Endpoint>(endpoint: E, ...input: CallArguments<E>): Promise<Answered<E>>
  /** The pages of a list, requested one at a time on demand. */
  pages<E extends Endpoint>(endpoint: E & Paged<E>, ...input: CallArguments<E>): AsyncGenerator<Page<E>, void>
  /** The items of a list, across all pages. Leaving the loop ends the requests. */
  items<E extends Endpoint>(endpoint: E & Paged<E>, ...input: CallArguments<E>): AsyncGenerator<Item<E>, void>
}

interface ClientOptions {
  /** The server's URL, `https://bugle.example`; it may include a path prefix. */
  readonly url: string
  /** Without a key the calls are anonymous. */
  readonly key?: string
  /** On a page served by Bugle: calls are made as the person who is signed in. */
  readonly usesCookie?: boolean
  readonly fetch?: typeof fetch
}

/**
 * Creates a client for the server at `url`.
 *
 *     const client = createClient({ url: 'http://127.0.0.1:4000', key })
 *     const { body: issue } = await client.call(endpoints.retrieveIssue, { params: { id } })
 */
export function createClient({
  url,
  key,
  usesCookie = false,
  fetch = globalThis.fetch,
}: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')

  async function call(endpoint: Endpoint, input: AnyCallInput = {}) {
    const { response, text } = await send(endpoint, input)
    if (!response.ok) throw errorOf(response, text)
    const isText = endpoint.answers[response.status]?.mediaType !== undefined
    const body = isText ? text : bodyOf(response, text)
    return { status: response.status, headers: response.headers, body }
  }

  async function send(endpoint: Endpoint, input: AnyCallInput) {
    const address = base + pathOf(endpoint, input)
    try {
      const response = await fetch(address, requestOf(endpoint, { key, usesCookie }, input))
      return { response, text: await response.text() }
    } catch (cause) {
      if (input.signal?.aborted) throw cause
      throw new ApiUnreachable(`${base} cannot be reached`, { cause })
    }
  }

  async function* pages(endpoint: Endpoint, { query, ...input }: AnyCallInput = {}) {
    let start: AnyCallInput['query'] = {}
    for (;;) {
      const { body } = await call(endpoint, { ...input, query: { ...query, ...start } })
      const page = body as AnyPage
      yield page
      const { nextCursor: cursor } = page.pagination
      if (cursor === null) return
      start = { page: undefined, cursor }
    }
  }

  async function* items(endpoint: Endpoint, input?: AnyCallInput) {
    for await (const { data } of pages(endpoint, input)) yield* data
  }

  // The response gets its type here: the server's tests enforce the contract, and a newer server only adds to it.
  const files = createFileCalls({ base, credentials: { key, usesCookie }, fetch })
  const untyped: Record<keyof Client, unknown> = { call, pages, items, ...files }
  return untyped as Client
}

function bodyOf({ url, status }: Response, text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiUnreachable(`${url} responded with ${status} without JSON`, { status, cause })
  }
}
