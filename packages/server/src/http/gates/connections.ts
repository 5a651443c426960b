import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../../domain/domain-error.ts'
import { clientOf } from './client-address.ts'
import { isTooSlow, type Patience } from './patience.ts'

/** The number of open connections, and of those closed because there were too many. */
export interface Connections {
  readonly open: number
  /** Idle connections that were closed to make room. */
  readonly evictedIdle: number
  /** Connections with an unfinished request that were closed to make room. */
  readonly evictedSlow: number
  /** New connections that were refused. */
  readonly refused: number
  /** Runs `work` once every complete request on the connection has been answered. */
  afterAnswers(socket: Socket, work: () => void): void
  /**
   * Counts the connection towards the client named by a trusted proxy, until the request has been answered. Throws
   * `rate-limited` if that client has too many requests in progress.
   */
  attribute(socket: Socket, address: string): void
  /** From now on, each response is the last one of its connection, also of requests in progress. */
  endWithResponses(): void
  /**
   * Resolves once no connection waits to be accepted or to send its first request, after a second at most. Closing the
   * listener would reset these, although a proxy may have sent a request on them, and proxies do not repeat a POST.
   */
  untilNoneIsNew(): Promise<void>
  /** Sets the body limit of the current request, which determines how long it may take. `slowBytesPerSecond`: it may be this slow. */
  expectBody(socket: Socket, maxBodyBytes: number, slowBytesPerSecond?: number): void
}

export interface ConnectionLimits {
  readonly max: number
  readonly maxPerAddress: number
  /** A proxy's connections are not counted by address, because many clients share them. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly patience: Patience
}

/** Connections that are counted together. */
interface Client {
  readonly name: string
  /** A proxy's own connections are subject only to the global limit. */
  readonly isProxy: boolean
  count: number
  /** Connections that may be evicted. See {@link State.since}. */
  readonly waiting: Set<State>
}

interface State {
  readonly socket: Socket
  /** Unanswered requests, with their responses; a client may pipeline several. */
  readonly requests: Map<IncomingMessage, ServerResponse>
  /** The request that was answered before its body was complete. The rest may still be arriving. */
  unread: IncomingMessage | undefined
  /** The address that the connection comes from. */
  readonly peer: Client
  /** The client it currently counts towards: the peer, or the client named by a proxy. */
  client: Client
  /** When the server started waiting for bytes from the client. Sets of connections are in this order, oldest first. */
  since: number
  /** The number of bytes received by then. */
  bytesBefore: number
  maxBodyBytes: number
  /** Set if the body may be slower than others, and the request take longer. */
  slowBytesPerSecond: number | undefined
  /** Whether the client has already received the 408 response. */
  isOver: boolean
  onAnswered: (() => void) | undefined
}

/** Of this many longest-waiting connections, the slowest is evicted. Examining all of them would take too long. */
const CANDIDATES = 64
/** A connection younger than this is evicted only if there is no older one, because it has had no time to send. */
const FRESH_MS = 1_000

/** A server stops even if every turn of its event loop has a new connection. */
const MAX_TURNS = 5_000

/**
 * Limits the number of connections, in total and for each address. Beyond the limit, a new connection replaces the
 * slowest one that is idle or has not sent its complete request; if the total limit is reached, one of the address with
 * the most connections. A complete request is never cut off: if all are being served, the new connection is closed.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  const { patience } = limits
  const states = new Map<Socket, State>()
  const clients = new Map<string, Client>()
  const waiting = new Set<State>()
  const turnedAway = { idle: 0, slow: 0, refused: 0 }
  /** Connections that have not sent a request yet. */
  const fresh = new Set<State>()
  let accepted = 0
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    accepted++
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
      requests: new Map(),
      unread: undefined,
      peer,
      client: peer,
      since: 0,
      bytesBefore: 0,
      maxBodyBytes: 0,
      slowBytesPerSecond: undefined,
      isOver: false,
      onAnswered: undefined,
    }
    states.set(socket, state)
    fresh.add(state)
    join(state, peer)
    wait(state)
    socket.once('close', () => forget(state))
  })
  // Registered before the framework's listener, which may set the body limit within the same call.
  server.prependListener('request', (request, response) => {
    const state = states.get(request.socket)
    if (state === undefined) return
    fresh.delete(state)
    state.requests.set(request, response)
    if (isEnding) endConnection(response)
    state.maxBodyBytes = 0
    state.slowBytesPerSecond = undefined
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
    // The client's last connection may just have been evicted to make room for this one.
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

  /** Starts waiting for bytes from the client. Whether they have already arrived is checked only when it matters. */
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
      // Complete requests are being served: here, the client waits for the server.
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
    state.unread = request.complete ? undefined : request
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
    fresh.delete(state)
    leave(state)
  }

  /** Ends requests that take too long, and those whose body goes on long after the response. Node can set only one limit for all requests, and an upload may take long. */
  function refuseSlow(): void {
    const now = performance.now()
    for (const state of waiting) {
      // The remaining connections have been waiting for less time.
      if (now - state.since < Math.min(patience.bodyMs, patience.requestMs)) return
      if (owesAnswers(state)) stopWaiting(state)
      else if (state.requests.size > 0) {
        if (isOverdue(state, now)) refuse(state)
      } else if (state.unread?.complete === false) state.socket.destroy()
    }
  }

  function isOverdue(
    { socket, since, bytesBefore, maxBodyBytes, slowBytesPerSecond }: State,
    now: number,
  ): boolean {
    const elapsedMs = now - since
    if (slowBytesPerSecond === undefined && elapsedMs > patience.requestMs) return true
    const { bodyBytesPerSecond } = patience
    const pace = { ...patience, bodyBytesPerSecond: slowBytesPerSecond ?? bodyBytesPerSecond }
    return (
      maxBodyBytes > 0 &&
      isTooSlow({ elapsedMs, receivedBytes: socket.bytesRead - bytesBefore, maxBodyBytes }, pace)
    )
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
      // Nothing more is read until then.
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
    endWithResponses() {
      isEnding = true
      for (const { requests } of states.values())
        for (const response of requests.values()) endConnection(response)
    },
    async untilNoneIsNew() {
      const deadline = performance.now() + FRESH_MS
      await endOfTurn()
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        const before = accepted
        // The kernel completes connections by itself, and each turn accepts one of them.
        await endOfTurn()
        if (accepted > before) continue
        if (fresh.size === 0 || performance.now() > deadline) return
        await sleep(1)
      }
    },
    expectBody(socket, maxBodyBytes, slowBytesPerSecond) {
      const state = states.get(socket)
      if (state === undefined) return
      state.maxBodyBytes = maxBodyBytes
      state.slowBytesPerSecond = slowBytesPerSecond
    },
  }
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function owesAnswers({ requests }: State): boolean {
  for (const { complete } of requests.keys()) if (complete) return true
  return false
}

/** Bytes per millisecond since the server started waiting. */
function rateOf({ socket, since, bytesBefore }: State, now: number): number {
  return (socket.bytesRead - bytesBefore) / (now - since)
}

function slowRequest(): Error {
  return Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

function tooMany(max: number): DomainError {
  return new DomainError('rate-limited', {
    detail: `An address may have ${max} requests in progress at once. Try again in 1 s.`,
    retryAfterSeconds: 1,
  })
}
