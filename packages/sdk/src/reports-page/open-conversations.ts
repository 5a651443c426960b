import { createBrowserPlatform } from '../browser/platform.ts'
import { createClient } from '../core/client.ts'
import { createConversations } from '../core/conversations/conversations.ts'
import { UNSHARED_STORE } from '../core/conversations/platform.ts'
import { idOfPerson } from '../core/conversations/reporters.ts'
import type { Conversations } from '../core/conversations/types.ts'
import { createLedger } from '../core/delivery/drops.ts'
import { createMemoryStore } from '../core/delivery/memory-store.ts'
import type { Link } from './link.ts'

/** The conversations behind a link. Nothing is stored in the browser: the link is all that is needed. */
export function openConversations(
  { endpoint, publicKey, secret }: Link,
  onStatus: (status: number) => void,
): Conversations {
  const client = createClient(
    { endpoint, publicKey, context: false },
    (scope) => ({
      ...createBrowserPlatform(scope),
      _openStore: createMemoryStore,
      async fetch(url, request) {
        const response = await fetch(url, request)
        if (url.includes('/v1/my/')) onStatus(response.status)
        return response
      },
    }),
    createLedger(),
  )
  const store = createMemoryStore()
  const person = { secret, publicKey, user: '', createdAt: 0 }
  store._putNow(`reporter-${idOfPerson(publicKey, undefined)}`, JSON.stringify(person))
  const platform = { ...UNSHARED_STORE, _store: store, _isHidden: () => document.hidden }
  return createConversations(client, platform, () => undefined)
}
