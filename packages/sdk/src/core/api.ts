import { type Client, createClient } from './client.ts'
import { createLedger } from './drops.ts'
import type { Platform } from './platform.ts'
import type { InitOptions, RemoteConfig, ReportInput, ReportResult } from './types.ts'
import { warn } from './warn.ts'

const DOUBLE_CLICK_MS = 10_000
const FLUSH_MS = 5_000

const ledger = createLedger()
let current: Client | undefined
let last: { readonly text: string; readonly at: number; readonly result: Promise<ReportResult> } | undefined

/** Starts the client that the functions below use. A second call changes nothing. */
export function start(options: InitOptions, createPlatform: (scope: string) => Platform): void {
  try {
    if (current) warn('init called twice')
    current ??= createClient(options, createPlatform, ledger)
  } catch (error) {
    warn(String(error))
  }
}

/** Reports a problem. Resolves with what became of it: `sent`, `queued` (kept, and sent later) or `dropped`. */
export function report(input: ReportInput): Promise<ReportResult> {
  return useClient((client) => {
    const { title, description, category } = input ?? {}
    if (!title?.trim()) return ledger.drop('invalid')
    // A person's report waits for a newer app; that of a machine does not.
    if (client.configs.obstacle() === 'disabled') return ledger.drop('disabled')
    const draft = { title, description, category }
    const text = JSON.stringify(draft)
    const now = Date.now()
    // A double click is one report.
    if (last?.text === text && now - last.at < DOUBLE_CLICK_MS) return last.result
    last = { text, at: now, result: client.capture(draft) }
    return last.result
  })
}

/** Tries to send everything now; `true` when nothing waits any more. */
export async function flush(timeoutMs = FLUSH_MS): Promise<boolean> {
  return current?.flush(timeoutMs) ?? true
}

/** Flushes and stops: no listener, timer or request is left. What could not be sent waits for the next start. */
export async function close(timeoutMs = FLUSH_MS): Promise<void> {
  const closing = current
  current = last = undefined
  await closing?.close(timeoutMs)
}

/** The last configuration the server gave: feature flags, categories and so on. */
export function getConfig(): RemoteConfig | undefined {
  return current?.configs.current()
}

/** The client that was started, if any. */
export function findClient(): Client | undefined {
  return current
}

/** Does something with the client; whatever goes wrong is a counted drop. */
export async function useClient(
  action: (client: Client) => ReportResult | Promise<ReportResult>,
): Promise<ReportResult> {
  try {
    return await (current ? action(current) : ledger.drop('not-initialised'))
  } catch {
    // Of all that can be thrown at a reporter of errors, the host must see nothing.
    return ledger.drop('internal')
  }
}
