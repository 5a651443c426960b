import { type Client, createClient } from '../src/core/client.ts'
import { createLedger } from '../src/core/delivery/drops.ts'
import { createMemoryStore } from '../src/core/delivery/memory-store.ts'
import type { HttpRequest, Platform, Store, Timer } from '../src/core/platform.ts'
import type { InitOptions, Report, Reporter } from '../src/core/types.ts'

/** The response of a fake server. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A platform with a stopped clock, a storage that outlives its clients, and a server with given responses. */
export interface World {
  readonly stored: Map<string, string>
  /** Every report that reached the server, in order, as it was sent. */
  readonly received: Report[]
  /** The response to a submission; `undefined`: the server is unreachable. */
  answer: (report: Report, attempt: number) => FakeAnswer | undefined | Promise<FakeAnswer>
  config: FakeAnswer | undefined
  isOnline: boolean
  readonly platform: Platform
  start(options?: Partial<InitOptions>, shared?: { readonly _user?: Reporter | undefined }): Client
  /** The page hides, or the network is available again. */
  happen(moment: 'hide' | 'wake'): void
  /** Advances the clock: runs due timers and everything they trigger. */
  pass(milliseconds: number): Promise<void>
  countTimers(): number
  countWatchers(): number
}

export const PUBLIC_KEY = 'bgl_pub_test'
export const ACCEPTED: FakeAnswer = { status: 201, body: { id: 'iss_1', issueNumber: 1 } }

export function createWorld(): World {
  const timers = new Map<object, { readonly at: number; readonly ring: () => void }>()
  const watchers = new Set<(moment: 'hide' | 'wake') => void>()
  const stored = new Map<string, string>()
  const received: World['received'] = []
  let now = Date.parse('2026-11-15T12:00:00.000Z')

  async function fetch(url: string, { body }: HttpRequest): Promise<Response> {
    const isConfig = url.endsWith('/v1/sdk-config')
    if (!isConfig) received.push(JSON.parse(String(body)))
    const last = received.at(-1)
    const answer = await (isConfig ? world.config : last && world.answer(last, received.length))
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(bodyOf(answer)), answer)
  }

  const later: Timer = (ring, milliseconds) => {
    const timer = {}
    timers.set(timer, { at: now + milliseconds, ring })
    return () => timers.delete(timer)
  }

  const platform: Platform = {
    _sdkName: '@bugle/sdk/test',
    _readDevice: () => ({ _known: { platform: 'test', osVersion: 'TestOS 1', deviceModel: 'Bench' } }),
    _openStore: () => durableStore(stored),
    async _runAlone(task) {
      await task()
      return true
    },
    _watchLife(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    _isOnline: () => world.isOnline,
    _isDevelopment: () => true,
    fetch,
    _later: later,
    _wait: later,
    _now: () => now,
    _random: createRandom(),
  }

  const world: World = {
    stored,
    received,
    answer: () => ACCEPTED,
    config: { status: 404 },
    isOnline: true,
    platform,
    start: (options, shared) =>
      createClient(
        { endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY, ...options },
        () => platform,
        createLedger(),
        shared,
      ),
    happen(moment) {
      for (const listener of watchers) listener(moment)
    },
    async pass(milliseconds) {
      now += milliseconds
      for (const [timer, { at, ring }] of timers) {
        if (at > now) continue
        timers.delete(timer)
        ring()
      }
      await settle()
    },
    countTimers: () => timers.size,
    countWatchers: () => watchers.size,
  }
  return world
}

/** A refusal comes from the server unless the body is a text: its problem documents have a request id. */
function bodyOf({ status, body }: FakeAnswer): unknown {
  return status < 400 || typeof body === 'string' ? (body ?? {}) : { requestId: 'req_test', ...Object(body) }
}

/** The same numbers in every run. */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Waits until nothing is pending. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A store that outlives its clients, because the test keeps the texts. */
export function durableStore(texts: Map<string, string>): Store {
  const { _isVolatile: _, ...store } = createMemoryStore(texts)
  return { ...store, _readAll: async () => new Map([...texts].sort()) }
}
