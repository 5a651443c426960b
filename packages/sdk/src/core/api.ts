import { type Client, createClient } from './client.ts'
import { createLedger, type Ledger } from './delivery/drops.ts'
import type { Platform } from './platform.ts'
import type { InitOptions, RemoteConfig, ReportInput, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

const DOUBLE_CLICK_MS = 10_000
const FLUSH_MS = 5_000

/** What the functions below share. */
interface State {
  readonly ledger: Ledger
  client?: Client | undefined
  last?: { readonly text: string; readonly at: number; readonly result: Promise<ReportResult> } | undefined
}

/**
 * An app may load the SDK more than once: as ESM and CommonJS, or once per bundle, as Next does with `instrumentation.ts`.
 * All copies of one version share this.
 */
function state(): State {
  const key = Symbol.for(`@bugle/sdk ${SDK_VERSION}`)
  const holder = globalThis as { [key]?: State }
  holder[key] ??= { ledger: createLedger() }
  return holder[key]
}

/** Starts the client that the functions below use. A second call changes nothing. */
export function start(options: InitOptions, createPlatform: (scope: string) => Platform): void {
  const shared = state()
  try {
    if (shared.client) warn('init called twice')
    shared.client ??= createClient(options, createPlatform, shared.ledger)
  } catch (error) {
    warn(String(error))
  }
}

/** Reports a problem. Resolves with what became of it: `sent`, `queued` (kept, and sent later) or `dropped`. */
export function report(input: ReportInput): Promise<ReportResult> {
  return useClient(async ({ configs, core, capture }, shared) => {
    const { title, description, category } = input ?? {}
    if (!title?.trim()) return shared.ledger.drop('invalid')
    // A person's report waits for a newer app; that of a machine does not.
    if (configs.obstacle() === 'disabled') return shared.ledger.drop('disabled')
    const draft = { title, description, category }
    const text = JSON.stringify(draft)
    const now = Date.now()
    const { last } = shared
    // A double click is one report.
    if (last?.text === text && Math.abs(now - last.at) < DOUBLE_CLICK_MS) {
      core.tell('double report sent once')
      return { ...(await last.result), isRepeat: true }
    }
    const result = capture(draft)
    shared.last = { text, at: now, result }
    return result
  })
}

/** Tries to send everything now; `true` when nothing waits any more. */
export async function flush(timeoutMs = FLUSH_MS): Promise<boolean> {
  return findClient()?.flush(timeoutMs) ?? true
}

/** Flushes and stops: no listener, timer or request is left. What could not be sent waits for the next start. */
export async function close(timeoutMs = FLUSH_MS): Promise<void> {
  const shared = state()
  const { client } = shared
  shared.client = shared.last = undefined
  await client?.close(timeoutMs)
}

/** The last configuration the server gave: feature flags, categories and so on. */
export function getConfig(): RemoteConfig | undefined {
  return findClient()?.configs.current()
}

/** The client that was started, if any. */
export function findClient(): Client | undefined {
  return state().client
}

/** Does something with the client; whatever goes wrong is a counted drop. */
export async function useClient(
  action: (client: Client, shared: State) => ReportResult | Promise<ReportResult>,
): Promise<ReportResult> {
  const shared = state()
  const { client, ledger } = shared
  try {
    return await (client ? action(client, shared) : ledger.drop('not-initialised'))
  } catch {
    // Of all that can be thrown at a reporter of errors, the host must see nothing.
    return ledger.drop('internal')
  }
}
