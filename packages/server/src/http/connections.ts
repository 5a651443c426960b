import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How many connections there are, and how many were one too many since the start. */
export interface Connections {
  readonly open: number
  /** Idle ones that had to make room. */
  readonly evicted: number
  /** New ones that found no room. */
  readonly refused: number
  /** Does something once all that was asked on the connection is answered, save what has not arrived in full. */
  afterAnswers(socket: Socket, work: () => void): void
}

/** What is known of a connection. */
interface State {
  /** Requests under way; a client may send several without waiting. */
  readonly requests: Set<IncomingMessage>
  onAnswered: (() => void) | undefined
}

/**
 * Keeps the number of connections bounded. One too many takes the place of the one that has been idle the longest, so
 * that whoever opens thousands and says nothing locks nobody out; only if every one is busy, the new one is closed.
 */
export function limitConnections(server: Server, limit: number): Connections {
  const states = new Map<Socket, State>()
  // Sets keep their order: the first has been idle the longest.
  const idle = new Set<Socket>()
  const turnedAway = { evicted: 0, refused: 0 }

  server.on('connection', (socket: Socket) => {
    if (states.size >= limit && !makeRoom()) {
      turnedAway.refused++
      socket.destroy()
      return
    }
    states.set(socket, { requests: new Set(), onAnswered: undefined })
    idle.add(socket)
    socket.once('close', () => forget(socket))
  })
  server.on('request', (request, response) => {
    const { socket } = request
    const state = states.get(socket)
    if (state === undefined) return
    idle.delete(socket)
    state.requests.add(request)
    response.on('close', () => finish(socket, state, request))
  })

  function makeRoom(): boolean {
    const [longestIdle] = idle
    if (longestIdle === undefined) return false
    turnedAway.evicted++
    forget(longestIdle)
    longestIdle.destroy()
    return true
  }

  function finish(socket: Socket, state: State, request: IncomingMessage): void {
    state.requests.delete(request)
    if (state.requests.size === 0 && !socket.destroyed) idle.add(socket)
    if (state.onAnswered !== undefined && !owesAnswers(state)) state.onAnswered()
  }

  function forget(socket: Socket): void {
    states.delete(socket)
    idle.delete(socket)
  }

  return {
    get open() {
      return states.size
    },
    get evicted() {
      return turnedAway.evicted
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
  }
}

function owesAnswers({ requests }: State): boolean {
  return [...requests].some(({ complete }) => complete)
}
