import type { SeenIds } from './ids.ts'
import type { FuzzRequest } from './requests.ts'
import type { Outgoing } from './send.ts'
import type { FuzzCaller, World } from './world.ts'

/** Puts in what only the running server knows. */
export function createResolve(world: World, ids: SeenIds): (request: FuzzRequest) => Outgoing {
  return (request) => {
    const { operation, method, path, query, headers, body } = request
    const names = operation?.path.split(/(\{\w+\})/).filter((piece) => piece !== '') ?? []
    const address = path.map((piece, index) =>
      typeof piece === 'number' ? ids.idFor(operation, names[index] ?? '', piece) : piece,
    )
    // Text brings its key along, and then another in a header makes no sense; now and then it has one all the same.
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

/** Who makes a request: what is only for people is mostly asked by them. */
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
