import { listen } from '../browser/platform.ts'
import { createBrowserStore } from '../browser/store.ts'
import { startConversationsIn } from '../core/conversations/conversations.ts'
import type { Conversations } from '../core/conversations/types.ts'

/**
 * Lets the person who uses the app follow the reports that they submit from now on, and talk to the team. Call it after `init`;
 * before, it returns `undefined`.
 */
export function startConversations(): Conversations | undefined {
  return startConversationsIn(({ _core: core }) => {
    const scope = `${core._scope}-conversations`
    return {
      _store: createBrowserStore(scope),
      _isHidden: () => document.hidden,
      _runAlone: (name, task) =>
        navigator.locks.request(`${scope}-${name}`, { ifAvailable: true }, async (lock) => {
          if (lock) await task()
          return !!lock
        }),
      _watchStore: (listener) =>
        listen(['storage'], (event) => {
          if (`${(event as StorageEvent).key}`.startsWith(`${scope}:`)) listener()
        }),
    }
  })
}

export type * from '../core/conversations/types.ts'
