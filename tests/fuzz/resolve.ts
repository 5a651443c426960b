import type { SeenIds } from './ids.ts'
import type { FuzzRequest } from './requests.ts'
import type { Outgoing } from './send.ts'
import type { FuzzCaller, World } from './world.ts'

/** Inserts values that only the running server knows. */
export function createResolve(world: World, ids: SeenIds): (request: FuzzRequest) => Outgoing {
  return (request) => {
    const { operation, method, path, query, headers, body } = request
    const names = operation?.path.split(/(\{\w+\})/).filter((piece) => piece !== '') ?? []
    const address = path.map((piece, index) =>
      typeof piece === 'number' ? ids.idFor(operation, names[index] ?? '', piece) : piece,
    )
    // A text body contains its key, so another one in a header is pointless; sometimes it has one anyway.
    const isAnonymous = body?.type === 'text/plain' && request.caller % 3 !== 1
    const credentials = isAnonymous ? {} : callerOf(world, request)?.headers
    return {
      method,
      path: address.join('') + (query === '' ? '' : `?${query}`),
      headers: given({ 'content-type': body?.type, ...credentials, ...headers }),
      body: body?.text ?? null,
    }
  }
}

/** The caller of a request: operations that are only for people are mostly called by people. */
export function callerOf({ callers }: World, { operation, caller }: FuzzRequest): FuzzCaller | undefined {
  const people = callers.filter(({ renew }) => renew !== undefined)
  const candidates = operation?.path.startsWith('/session') && caller % 4 !== 3 ? people : callers
  return candidates[caller % candidates.length]
}

function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, held]) => (held === undefined ? [] : [[name, held]])),
  )
}
