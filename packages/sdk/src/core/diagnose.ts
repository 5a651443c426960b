import { findClient } from './api.ts'
import { within } from './guard.ts'
import type { QueuedReason } from './types.ts'
import { SDK_VERSION } from './version.ts'

const PROBE_ID = 'probe'
const TIMEOUT_MS = 5_000

/** Diagnostics for reports that do not arrive. */
export interface Diagnosis {
  readonly sdkVersion: string
  /** The server's response to this key and page: 200 is fine, 401 an unknown key, 0 no response. */
  readonly status: number
  /** The number of queued reports. */
  readonly waiting: number
  /** Why nothing is sent at the moment, if so. */
  readonly obstacle: QueuedReason | undefined
  /** Whether reports survive the page or process. */
  readonly isDurable: boolean
}

/** Checks whether reports can be stored and sent; nothing before `init`. */
export async function diagnose(): Promise<Diagnosis | undefined> {
  const client = findClient()
  if (!client) return undefined
  const { _core: core, _queue: queue, _sender: sender } = client
  const { _store: store, _options: options, _request: request, _platform: platform } = core
  await store._put(PROBE_ID, '{}')
  const isKept = (await store._readAll()).has(PROBE_ID)
  await store._remove(PROBE_ID)
  const headers = { authorization: `Bearer ${options.publicKey}` }
  const asking = request('sdk-config', { headers }, TIMEOUT_MS)
  // The caller is waiting: a process that has nothing else to do must not end first.
  const answer = await within(asking, TIMEOUT_MS, platform._wait)
  return {
    sdkVersion: SDK_VERSION,
    status: answer?.status ?? 0,
    waiting: (await queue._readAll()).length,
    obstacle: sender._blockedBy(),
    isDurable: isKept && !store._isVolatile,
  }
}
