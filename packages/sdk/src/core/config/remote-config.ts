import type { Core } from '../core.ts'
import { parseJson } from '../delivery/requests.ts'
import type { RemoteConfig } from '../types.ts'
import { isOlder, SDK_VERSION } from '../version.ts'
import { warn } from '../warn.ts'

/** The id under which the last valid response for a key is stored, among the reports. */
export const CONFIG_ID = 'config-'
const TIMEOUT_MS = 5_000
const UNANSWERED_PAUSE_SECONDS = 300

/** What is stored from the server's responses. */
export interface KeptConfig {
  /** The last valid one. */
  readonly body?: RemoteConfig
  /** When it was requested. */
  readonly now: number
  /** A random number from 0 to 1 that this installation keeps: it decides which shares of installations it is in. */
  readonly draw: number
}

/** The server's configuration: the last valid response applies until there is a newer one. */
export interface RemoteConfigs {
  _current(): KeptConfig
  /** Why sending is not allowed, if so. */
  _blockedBy(): 'disabled' | 'sdk-outdated' | undefined
  /** Resolves when the response stored by an earlier start was read. */
  readonly _adopted: Promise<void>
  /** Reads it from the server, unless that was done recently. */
  _refresh(): Promise<void>
}

export function createRemoteConfigs({
  _options: options,
  _platform: platform,
  _store: store,
  _request: request,
}: Core): RemoteConfigs {
  const id = CONFIG_ID + options.publicKey
  let kept: KeptConfig = { now: 0, draw: platform._random() }
  let obstacle: 'disabled' | 'sdk-outdated' | undefined

  function accept(next: Partial<KeptConfig>): boolean {
    const { enabled, crash, minSdkVersion } = Object(next.body) as Partial<RemoteConfig>
    // An error, a captive portal or an older server may respond with something else.
    if (!crash) return false
    const isOutdated = isOlder(SDK_VERSION, `${minSdkVersion ?? ''}`)
    if (isOutdated && !kept.body) warn(`SDK older than ${minSdkVersion}`)
    kept = { ...kept, ...next }
    obstacle = enabled ? (isOutdated ? 'sdk-outdated' : undefined) : 'disabled'
    return true
  }

  async function adopt(): Promise<void> {
    const stored = Object(parseJson((await store._readAll()).get(id))) as Partial<KeptConfig>
    // Stored without the number, by an earlier SDK: without a time, it is requested again and stored with one.
    accept(stored.draw ? stored : ({ body: stored.body } as Partial<KeptConfig>))
  }

  const adopted = adopt()
  return {
    _current: () => kept,
    _blockedBy: () => obstacle,
    _adopted: adopted,
    async _refresh() {
      await adopted
      const now = platform._now()
      const seconds = (now - kept.now) / 1_000
      // If the clock was set back, the age is negative.
      if (seconds >= 0 && seconds < (kept.body?.refreshAfterSeconds ?? UNANSWERED_PAUSE_SECONDS)) return
      kept = { ...kept, now }
      const headers = { authorization: `Bearer ${options.publicKey}` }
      const { body } = await request('sdk-config', { headers }, TIMEOUT_MS)
      if (accept({ body: body as RemoteConfig, now })) await store._put(id, JSON.stringify(kept))
    },
  }
}
