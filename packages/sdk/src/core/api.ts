import { type Client, createClient } from './client.ts'
import { featuresOf } from './config/features.ts'
import { createLedger, type Ledger } from './delivery/drops.ts'
import { guard } from './guard.ts'
import type { Platform } from './platform.ts'
import type { InitOptions, RemoteConfig, Reporter, ReportInput, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

const DOUBLE_CLICK_MS = 10_000
const FLUSH_MS = 5_000

/** What the functions below share. */
interface State {
  readonly _ledger: Ledger
  _client?: Client | undefined
  _user?: Reporter | undefined
  _last?:
    | { readonly _text: string | number; readonly _at: number; readonly _result: Promise<ReportResult> }
    | undefined
}

/**
 * An app may load the SDK more than once: as ESM and CommonJS, or once per bundle, as Next does with `instrumentation.ts`.
 * All copies of one version share this.
 */
function state(): State {
  const key = Symbol.for(`@bugle/sdk ${SDK_VERSION}`)
  const holder = globalThis as { [key]?: State }
  holder[key] ??= { _ledger: createLedger() }
  return holder[key]
}

/** Starts the client that the functions below use. A second call changes nothing. */
export function start(options: InitOptions, createPlatform: (scope: string) => Platform): void {
  const shared = state()
  try {
    if (shared._client) warn('init called twice')
    shared._client ??= createClient(options, createPlatform, shared._ledger, shared)
  } catch (error) {
    warn(String(error))
  }
}

/** Reports a problem. Resolves with the result: `sent`, `queued` (stored and sent later) or `dropped`. */
export function report(input: ReportInput): Promise<ReportResult> {
  return useClient(async ({ _configs: configs, _core: core, _capture: capture }, shared) => {
    if (!input?.title?.trim()) return shared._ledger._drop('invalid')
    // A person's report waits for a newer SDK; a crash report does not.
    if (configs._blockedBy() === 'disabled') return shared._ledger._drop('disabled')
    // Circular metadata cannot be converted to JSON and is trimmed later; such a report equals no other.
    const text = guard<[unknown], string | number>(JSON.stringify, Math.random)(input)
    const now = Date.now()
    const { _last: last } = shared
    // A double click is one report.
    if (last?._text === text && Math.abs(now - last._at) < DOUBLE_CLICK_MS) {
      core._tell('double report sent once')
      return { ...(await last._result), isRepeat: true }
    }
    const result = capture(input)
    shared._last = { _text: text, _at: now, _result: result }
    return result
  })
}

/** Names the person who uses the app in all further reports; `null`: no one. Other fields of the object are not sent. */
export function setUser(user: Reporter | null): void {
  const { id, name, email } = Object(user) as Reporter
  const shared = state()
  // An id is often a number in the app.
  shared._user = { id: id && `${id}`, name, email }
  shared._client?._onUser?.()
}

/** The person given to `setUser`, if any. */
export function findUser(): Reporter | undefined {
  return state()._user
}

/** Tries to send everything now; `true` if the queue is empty. */
export async function flush(timeoutMs: number = FLUSH_MS): Promise<boolean> {
  return findClient()?._flush(timeoutMs) ?? true
}

/** Flushes and stops: no listener, timer or request is left. Unsent reports stay queued for the next start. */
export async function close(timeoutMs: number = FLUSH_MS): Promise<void> {
  const shared = state()
  const { _client: client } = shared
  shared._client = shared._last = undefined
  await client?._close(timeoutMs)
}

/** The last configuration from the server: the features that this installation gets, categories and so on. */
export function getConfig(): RemoteConfig | undefined {
  const client = findClient()
  if (!client) return undefined
  const { body, draw } = client._configs._current()
  return body && { ...body, features: featuresOf(body, client._device(), draw) }
}

/** The client that was started, if any. */
export function findClient(): Client | undefined {
  return state()._client
}

/** Runs a function with the client; any error becomes a counted drop. */
export async function useClient(
  action: (client: Client, shared: State) => ReportResult | Promise<ReportResult>,
): Promise<ReportResult> {
  const shared = state()
  const { _client: client, _ledger: ledger } = shared
  try {
    return await (client ? action(client, shared) : ledger._drop('not-initialised'))
  } catch {
    // The app must never see an exception from the SDK.
    return ledger._drop('internal')
  }
}
