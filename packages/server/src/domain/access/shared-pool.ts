import { DomainError } from '../domain-error.ts'

const RETRY_AFTER_SECONDS = 5
/** Counts as received from the start: otherwise, a request that has just begun would be the slowest. */
const HEAD_START_BYTES = 64 * 1024

/**
 * A bounded amount that requests of all projects share: uploads in progress, or bytes in memory. Once it is used up, the project that
 * holds most gives way to one that holds less, and within a project the client that holds most.
 */
export interface SharedPool {
  readonly taken: number
  /** How many requests have given way. */
  readonly gaveWay: number
  /** What one request holds, until it is disposed of. The first `freeAmount` is not counted, so that it never depends on other requests. */
  open(holder: () => Holder, freeAmount?: number): Hold
}

export interface Holder {
  readonly projectId: string
  /** The key and the address. */
  readonly client: string
}

export interface Hold extends Disposable {
  /** Aborted with `unavailable` when the request gives way. */
  readonly signal: AbortSignal
  /** Takes this much more. Throws `unavailable` if there is no room, or if the request has given way. */
  take(amount: number): void
  giveBack(amount: number): void
  /** The bytes of the request as they arrive. Fails with `unavailable` as soon as the request gives way. */
  receive(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** From now on, the request does not give way. Throws `unavailable` if it already has. */
  keep(): void
}

interface PoolOptions {
  readonly size: number
  /** What there can be too many of, for people. */
  readonly what: string
  readonly now?: () => number
}

/** Requests that are still arriving give way before those that wait to be handled. */
const GIVING_WAY = ['arriving', 'waiting'] as const

interface State {
  readonly since: number
  received: number
  held: number
  stage: (typeof GIVING_WAY)[number] | 'kept' | 'gone'
  readonly controller: AbortController
  /** Fails the read in progress. */
  interrupt: ((error: DomainError) => void) | undefined
  /** Set once something is counted. */
  holder: Holder | undefined
}

interface Client {
  held: number
  readonly states: Set<State>
}

interface Project {
  held: number
  readonly clients: Map<string, Client>
}

export function createSharedPool({ size, what, now = () => performance.now() }: PoolOptions): SharedPool {
  const projects = new Map<string, Project>()
  let taken = 0
  let gaveWay = 0

  function busy(): DomainError {
    return new DomainError('unavailable', {
      detail: `Too many ${what} are in progress. Try again shortly.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }

  function count(state: State, { projectId, client: name }: Holder, amount: number): void {
    const project = projects.get(projectId) ?? { held: 0, clients: new Map<string, Client>() }
    const client = project.clients.get(name) ?? { held: 0, states: new Set<State>() }
    taken += amount
    project.held += amount
    client.held += amount
    state.held += amount
    if (state.held > 0) client.states.add(state)
    else client.states.delete(state)
    if (client.states.size > 0) project.clients.set(name, client)
    else project.clients.delete(name)
    if (project.clients.size > 0) projects.set(projectId, project)
    else projects.delete(projectId)
  }

  function giveBack(state: State, amount: number): void {
    if (state.holder !== undefined) count(state, state.holder, -Math.min(amount, state.held))
  }

  /** A request of another project that holds more than this one will, or else of another client of this project that does. */
  function findVictim({ projectId, client }: Holder, amount: number): State | undefined {
    const own = projects.get(projectId)
    const rivals = largestFirst(projects.values(), amount + (own?.held ?? 0))
    const ownClients = own?.clients ?? new Map<string, Client>()
    const siblings = largestFirst(ownClients.values(), amount + (ownClients.get(client)?.held ?? 0))
    const clients = [
      ...rivals.flatMap((project) => largestFirst(project.clients.values(), 0)),
      // The only request of a client does not give way to another one of its project.
      ...siblings.filter(({ states }) => states.size > 1),
    ]
    for (const stage of GIVING_WAY) {
      for (const { states } of clients) {
        const slowest = slowestOf([...states].filter((state) => state.stage === stage))
        if (slowest !== undefined) return slowest
      }
    }
    return undefined
  }

  function slowestOf(states: readonly State[]): State | undefined {
    const pace = ({ received, since }: State) => (received + HEAD_START_BYTES) / (now() - since)
    return states.toSorted((one, other) => pace(one) - pace(other))[0]
  }

  function giveWay(state: State): void {
    gaveWay++
    state.stage = 'gone'
    giveBack(state, state.held)
    const error = busy()
    state.controller.abort(error)
    state.interrupt?.(error)
  }

  function makeRoom(holder: Holder, amount: number): void {
    while (taken + amount > size) {
      const victim = findVictim(holder, amount)
      if (victim === undefined) throw busy()
      giveWay(victim)
    }
  }

  return {
    get taken() {
      return taken
    },
    get gaveWay() {
      return gaveWay
    },
    open(holderOf, freeAmount = 0) {
      const state: State = {
        ...{ since: now(), received: 0, held: 0 },
        ...{ stage: 'arriving', controller: new AbortController(), interrupt: undefined, holder: undefined },
      }
      let free = freeAmount

      function requireRoom(): void {
        if (state.stage === 'gone') throw busy()
      }

      return {
        signal: state.controller.signal,
        take(amount) {
          requireRoom()
          const counted = Math.max(0, amount - free)
          if (counted > 0) {
            state.holder ??= holderOf()
            makeRoom(state.holder, counted)
            count(state, state.holder, counted)
          }
          free -= amount - counted
        },
        giveBack: (amount) => giveBack(state, amount),
        async *receive(bytes) {
          const source = bytes[Symbol.asyncIterator]()
          try {
            for (;;) {
              requireRoom()
              const { done, value } = await nextOf(source, state)
              if (done) break
              state.received += value.length
              yield value
            }
            if (state.stage === 'arriving') state.stage = 'waiting'
          } finally {
            state.interrupt = undefined
            // Not awaited: a read that was interrupted ends only when the client sends more, or leaves.
            source.return?.().catch(() => undefined)
          }
        },
        keep() {
          requireRoom()
          state.stage = 'kept'
        },
        [Symbol.dispose]() {
          giveBack(state, state.held)
          state.stage = 'gone'
        },
      }
    },
  }
}

/** Those that hold more than this. */
function largestFirst<T extends { readonly held: number }>(all: Iterable<T>, amount: number): readonly T[] {
  return [...all].filter(({ held }) => held > amount).toSorted((one, other) => other.held - one.held)
}

function nextOf(source: AsyncIterator<Uint8Array>, state: State): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    state.interrupt = reject
    source.next().then(resolve, reject)
  })
}
