import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '../../domain/domain-error.ts'
import { clientOf } from './client-address.ts'
import { isTooSlow, type Patience } from './patience.ts'

/** How many connections there are, and how many were closed because there were too many. */
export interface Connections {
  readonly open: number
  /** Idle connections that were closed to make room. */
  readonly evictedIdle: number
  /** Connections with an unfinished request that were closed to make room. */
  readonly evictedSlow: number
  /** New connections that found no room. */
  readonly refused: number
  /** Runs `work` once every complete request on the connection has its response. */
  afterAnswers(socket: Socket, work: () => void): void
  /**
   * Counts the connection for the client that a trusted proxy names, until the request has its response. Throws
   * `rate-limited` if that client has too many requests under way.
   */
  attribute(socket: Socket, address: string): void
  /** Sets the size of the largest body that the request under way may have, which decides how long it may take. */
  expectBody(socket: Socket, maxBodyBytes: number): void
}

export interface ConnectionLimits {
  readonly max: number
  readonly maxPerAddress: number
  /** Connections of a proxy are not counted by address: many clients share them. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly patience: Patience
}

/** Connections that count together. */
interface Client {
  readonly name: string
  /** A proxy's own connections have no limit but the common one. */
  readonly isProxy: boolean
  count: number
  /** Connections that may be evicted, see {@link State.since}. */
  readonly waiting: Set<State>
}

interface State {
  readonly socket: Socket
  /** Unanswered requests; a client may send several without waiting. */
  readonly requests: Set<IncomingMessage>
  /** The address that the connection comes from. */
  readonly peer: Client
  /** Whom it counts for now: the peer, or the client that a proxy has named. */
  client: Client
  /** Since when the client has owed us bytes. Sets of connections are in this order, the earliest first. */
  since: number
  /** How much had been received by then. */
  bytesBefore: number
  maxBodyBytes: number
  /** It was told that it is too slow. */
  isOver: boolean
  onAnswered: (() => void) | undefined
}

/** Of this many that have been waiting the longest, the slowest is evicted: a look at all of them would take too long. */
const CANDIDATES = 64
/** A connection this young is evicted only if there is no older one: it has had no time to be quick. */
const FRESH_MS = 1_000

/**
 * Keeps the number of connections bounded, in all and for each address. One too many takes the place of the slowest one
 * that owes us bytes, be it idle or in the middle of a request; from whoever has most of them, if there are too many in
 * all. A request that is complete is never cut off: if all are being answered, the new connection is closed.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  const { patience } = limits
  const states = new Map<Socket, State>()
  const clients = new Map<string, Client>()
  const waiting = new Set<State>()
  const turnedAway = { idle: 0, slow: 0, refused: 0 }

  server.on('connection', (socket: Socket) => {
    const peer = clientFor(socket.remoteAddress ?? '')
    const hasRoom = makeRoomFor(peer) && (states.size < limits.max || evict(waiting))
    if (!hasRoom) {
      turnedAway.refused++
      forgetIfUnused(peer)
      socket.destroy()
      return
    }
    const state: State = {
      socket,
      requests: new Set(),
      peer,
      client: peer,
      since: 0,
      bytesBefore: 0,
      maxBodyBytes: 0,
      isOver: false,
      onAnswered: undefined,
    }
    states.set(socket, state)
    join(state, peer)
    wait(state)
    socket.once('close', () => forget(state))
  })
  // Before the framework, which may say within the same call what to expect of the request.
  server.prependListener('request', (request, response) => {
    const state = states.get(request.socket)
    if (state === undefined) return
    state.requests.add(request)
    state.maxBodyBytes = 0
    wait(state)
    response.on('close', () => finish(state, request))
  })
  const checking = setInterval(refuseSlow, patience.checkMs).unref()
  server.on('close', () => clearInterval(checking))

  function clientFor(address: string): Client {
    const isProxy = limits.isTrustedProxy(address)
    const name = isProxy ? `proxy ${address}` : clientOf(address)
    let client = clients.get(name)
    if (client === undefined) {
      client = { name, isProxy, count: 0, waiting: new Set() }
      clients.set(name, client)
    }
    return client
  }

  function join(state: State, client: Client): void {
    state.client = client
    client.count++
    // Its last connection may just have made room for this one.
    clients.set(client.name, client)
  }

  function leave(state: State): void {
    state.client.waiting.delete(state)
    state.client.count--
    forgetIfUnused(state.client)
  }

  function forgetIfUnused(client: Client): void {
    if (client.count === 0) clients.delete(client.name)
  }

  /** From now on the client owes us bytes. It is not looked yet whether they have come: most have when it matters. */
  function wait(state: State): void {
    state.since = performance.now()
    state.bytesBefore = state.socket.bytesRead
    stopWaiting(state)
    waiting.add(state)
    state.client.waiting.add(state)
  }

  function stopWaiting(state: State): void {
    waiting.delete(state)
    state.client.waiting.delete(state)
  }

  function makeRoomFor(client: Client): boolean {
    return client.isProxy || client.count < limits.maxPerAddress || evict(client.waiting)
  }

  function evict(among: ReadonlySet<State>): boolean {
    const victim = slowestOf(among)
    if (victim === undefined) return false
    if (victim.requests.size === 0) turnedAway.idle++
    else turnedAway.slow++
    forget(victim)
    victim.socket.destroy()
    return true
  }

  function slowestOf(among: ReadonlySet<State>): State | undefined {
    const candidates: State[] = []
    for (const state of among) {
      // What is complete is being answered, and waits for us.
      if (owesAnswers(state)) stopWaiting(state)
      else if (candidates.push(state) === CANDIDATES) break
    }
    const most = Math.max(...candidates.map(({ client }) => client.count))
    const ofLargest = candidates.filter(({ client }) => client.count === most)
    const now = performance.now()
    const [first, ...others] = ofLargest.filter(({ since }) => now - since >= FRESH_MS)
    if (first === undefined) return ofLargest[0]
    return others.reduce(
      (slowest, other) => (rateOf(other, now) < rateOf(slowest, now) ? other : slowest),
      first,
    )
  }

  function finish(state: State, request: IncomingMessage): void {
    state.requests.delete(request)
    if (states.has(state.socket)) {
      if (state.requests.size === 0) moveTo(state, state.peer)
      wait(state)
    }
    if (state.onAnswered !== undefined && !owesAnswers(state)) state.onAnswered()
  }

  function moveTo(state: State, client: Client): void {
    if (state.client === client) return
    leave(state)
    join(state, client)
  }

  function forget(state: State): void {
    if (!states.delete(state.socket)) return
    waiting.delete(state)
    leave(state)
  }

  /** Ends requests whose body takes too long, as Node does with those that take too long in all. */
  function refuseSlow(): void {
    const now = performance.now()
    for (const state of waiting) {
      const { socket, since, bytesBefore, maxBodyBytes } = state
      // Later ones have had less time.
      if (now - since < patience.bodyMs) return
      const body = { elapsedMs: now - since, receivedBytes: socket.bytesRead - bytesBefore, maxBodyBytes }
      if (owesAnswers(state)) stopWaiting(state)
      else if (expectsBody(state) && isTooSlow(body, patience)) refuse(state)
    }
  }

  function refuse(state: State): void {
    if (state.isOver) state.socket.destroy()
    else server.emit('clientError', slowRequest(), state.socket)
    state.isOver = true
  }

  return {
    get open() {
      return states.size
    },
    get evictedIdle() {
      return turnedAway.idle
    },
    get evictedSlow() {
      return turnedAway.slow
    },
    get refused() {
      return turnedAway.refused
    },
    afterAnswers(socket, work) {
      const state = states.get(socket)
      if (state === undefined || !owesAnswers(state)) return work()
      // Nothing more is read meanwhile.
      socket.pause()
      state.onAnswered = () => {
        state.onAnswered = undefined
        work()
        socket.resume()
      }
    },
    attribute(socket, address) {
      const state = states.get(socket)
      if (state === undefined || !state.peer.isProxy) return
      const client = clientFor(address)
      if (client === state.client) return
      if (!makeRoomFor(client)) throw tooMany(limits.maxPerAddress)
      moveTo(state, client)
      wait(state)
    },
    expectBody(socket, maxBodyBytes) {
      const state = states.get(socket)
      if (state !== undefined) state.maxBodyBytes = maxBodyBytes
    },
  }
}

function owesAnswers({ requests }: State): boolean {
  for (const { complete } of requests) if (complete) return true
  return false
}

function expectsBody({ requests, maxBodyBytes }: State): boolean {
  return requests.size > 0 && maxBodyBytes > 0
}

/** Bytes a millisecond since they have been owed. */
function rateOf({ socket, since, bytesBefore }: State, now: number): number {
  return (socket.bytesRead - bytesBefore) / (now - since)
}

function slowRequest(): Error {
  return Object.assign(new Error('the body comes too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

function tooMany(max: number): DomainError {
  return new DomainError('rate-limited', {
    detail: `An address may have ${max} requests under way at once. Try again in 1 s.`,
    retryAfterSeconds: 1,
  })
}
