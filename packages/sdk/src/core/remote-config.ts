import type { Core } from './core.ts'
import { parseJson } from './delivery/requests.ts'
import type { RemoteConfig } from './types.ts'
import { isOlder, SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

/** Where the last good answer to a key is kept, among the reports. */
export const CONFIG_ID = 'config-'
const TIMEOUT_MS = 5_000
const UNANSWERED_PAUSE_SECONDS = 300

/** The server's advice: the last good answer counts until there is a better one. */
export interface RemoteConfigs {
  current(): RemoteConfig | undefined
  /** What forbids sending, if anything does. */
  obstacle(): 'disabled' | 'sdk-outdated' | undefined
  /** Resolves when the answer that an earlier start got is known. */
  readonly adopted: Promise<void>
  /** Asks the server, unless it was asked lately. */
  refresh(): Promise<void>
}

export function createRemoteConfigs({ options, platform, store, request }: Core): RemoteConfigs {
  const id = CONFIG_ID + options.publicKey
  let current: RemoteConfig | undefined
  let obstacle: 'disabled' | 'sdk-outdated' | undefined
  let askedAt = 0

  function accept(config: unknown): boolean {
    const { enabled, crash, minSdkVersion } = Object(config) as Partial<RemoteConfig>
    // An error, a captive portal or an older server answers something else.
    if (!crash) return false
    const isOutdated = isOlder(SDK_VERSION, `${minSdkVersion ?? ''}`)
    if (isOutdated && !current) warn(`the server wants ${minSdkVersion}`)
    current = config as RemoteConfig
    obstacle = enabled ? (isOutdated ? 'sdk-outdated' : undefined) : 'disabled'
    return true
  }

  async function adopt(): Promise<void> {
    const { body, now } = Object(parseJson((await store.readAll()).get(id))) as {
      body?: unknown
      now?: number
    }
    if (accept(body)) askedAt = now ?? 0
  }

  const adopted = adopt()
  return {
    current: () => current,
    obstacle: () => obstacle,
    adopted,
    async refresh() {
      await adopted
      const now = platform.now()
      const seconds = (now - askedAt) / 1_000
      // A clock that was set back makes an age below zero.
      if (seconds >= 0 && seconds < (current?.refreshAfterSeconds ?? UNANSWERED_PAUSE_SECONDS)) return
      askedAt = now
      const headers = { authorization: `Bearer ${options.publicKey}` }
      const { body } = await request('sdk-config', { headers }, TIMEOUT_MS)
      if (accept(body)) await store.put(id, JSON.stringify({ body, now }))
    },
  }
}
