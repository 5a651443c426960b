import type { Ledger } from './delivery/drops.ts'
import type { Requests } from './delivery/requests.ts'
import type { Platform, Store } from './platform.ts'
import type { DeviceFields, InitOptions } from './types.ts'

/** What the components of a client share. */
export interface Core extends Requests {
  readonly _options: Settings
  readonly _platform: Platform
  /** Separates what is stored for this server from everything else. */
  readonly _scope: string
  readonly _store: Store
  readonly _ledger: Ledger
  /** Prints a message once during development. */
  _tell(message: string): void
}

/** The parsed options. */
export interface Settings extends InitOptions {
  readonly _device: DeviceFields
}
