import { CSRF_HEADER, type Endpoint, joinList } from '@bugle/contract'

/** The input of any call, after type checking. */
export interface AnyCallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The address of a call, below the address of the server. */
export function pathOf({ path }: Endpoint, { params = {}, query = {} }: AnyCallInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? joinList(value) : String(value)]),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}

export interface Credentials {
  readonly key: string | undefined
  readonly usesCookie: boolean
}

/** Everything else about a call, as `fetch` takes it. */
export function requestOf(
  { method, mediaTypes }: Endpoint,
  { key, usesCookie }: Credentials,
  input: AnyCallInput,
): RequestInit {
  const { body, headers, signal } = input
  return {
    method,
    credentials: usesCookie ? 'same-origin' : 'omit',
    headers: {
      ...(usesCookie && method !== 'GET' && { [CSRF_HEADER]: '1' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': mediaTypes?.[0] ?? 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }
}

/** A value as one segment of a path. */
function encodeSegment(name: string, value: string): string {
  // However they are encoded, URLs resolve dots (WHATWG URL, "double-dot path segment"): the call would reach another path.
  if (value === '' || value === '.' || value === '..')
    throw new TypeError(`params.${name} cannot be "${value}"`)
  return encodeURIComponent(value)
}
