import type { Ledger } from './drops.ts'
import type { Settings } from './options.ts'
import type { Platform, Store } from './platform.ts'
import type { Requests } from './requests.ts'

/** What the parts of a client share. */
export interface Core extends Requests {
  readonly options: Settings
  readonly platform: Platform
  readonly store: Store
  readonly ledger: Ledger
}
