import type { Ledger } from './delivery/drops.ts'
import type { Requests } from './delivery/requests.ts'
import type { Platform, Store } from './platform.ts'
import type { DeviceFields, InitOptions } from './types.ts'

/** What the components of a client share. */
export interface Core extends Requests {
  readonly options: Settings
  readonly platform: Platform
  readonly store: Store
  readonly ledger: Ledger
  /** Prints a message once during development. */
  tell(message: string): void
}

/** The parsed options. */
export interface Settings extends InitOptions {
  readonly device: DeviceFields
}
