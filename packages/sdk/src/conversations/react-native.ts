import { startConversationsIn } from '../core/conversations/conversations.ts'
import { UNSHARED_STORE } from '../core/conversations/platform.ts'
import type { Conversations } from '../core/conversations/types.ts'
import { createMemoryStore } from '../core/delivery/memory-store.ts'
import { createKeyValueStore, type KeyValueStorage } from '../react-native/key-value-store.ts'

/**
 * Lets the person who uses the app follow the reports that they submit from now on, and talk to the team. Call it after `init`;
 * before, it returns `undefined`. Without a `storage`, this lasts as long as the app runs.
 */
export function startConversations(): Conversations | undefined {
  return startConversationsIn(({ _core: core }) => {
    const { storage } = core._options as { readonly storage?: KeyValueStorage }
    return {
      ...UNSHARED_STORE,
      _store: storage ? createKeyValueStore(storage, `${core._scope}-conversations`) : createMemoryStore(),
      _isHidden: () => false,
    }
  })
}

export type * from '../core/conversations/types.ts'
