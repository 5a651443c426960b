import type { Ledger } from './delivery/drops.ts'
import type { Requests } from './delivery/requests.ts'
import type { Platform, Store } from './platform.ts'
import type { DeviceFields, InitOptions } from './types.ts'

/** What the parts of a client share. */
export interface Core extends Requests {
  readonly options: Settings
  readonly platform: Platform
  readonly store: Store
  readonly ledger: Ledger
  /** Tells the developer something once, where the app is being developed. */
  tell(message: string): void
}

/** The options once they are read. */
export interface Settings extends InitOptions {
  readonly device: DeviceFields
}
