import type { Clock } from '../../clock.ts'
import type { SessionRecord } from '../../model/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { endOf } from '../people/session-lifetime.ts'
import type { Catalog } from '../projects/catalog.ts'
import { createUsage } from '../projects/usage.ts'
import type { Caller, UserCaller } from './access.ts'

/** Who calls, over more than one request. */
export interface Callers {
  /** The person whose cookie holds this token, unless it is unknown or over. */
  findUser(token: string): Promise<UserCaller | undefined>
  /** Whoever has called for long, as they are now; undefined once they may no longer. */
  renew(caller: Caller): Promise<Caller | undefined>
  /** Whether a sign-in that has called for long may be over, as far as is known here. */
  mayBeOver(caller: Caller): boolean
  /** Remembers that a key or a sign-in was used. */
  noteUse(caller: Caller): void
  /** Writes down when keys and sign-ins were used. Called now and then, and at the end. */
  flush(): Promise<void>
}

interface CallerDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
}

export function createCallers({ storage, catalog, clock }: CallerDependencies): Callers {
  const keyUsage = createUsage(storage.keys.recordUses, clock)
  const signInUsage = createUsage(storage.signIns.recordUses, clock)

  function isOver({ signIn }: SessionRecord): boolean {
    const lastSeenAt = Math.max(signIn.lastSeenAt, signInUsage.lastNoted(signIn.id) ?? 0)
    return endOf({ ...signIn, lastSeenAt }) <= clock()
  }

  /** A sign-in as the database knows it: it may have been used since, on another node. */
  async function renewSession({ signIn: { hash } }: SessionRecord): Promise<UserCaller | undefined> {
    const session = await storage.signIns.findByHash(hash)
    return session === undefined || isOver(session) ? undefined : { kind: 'user', ...session }
  }

  return {
    async findUser(token) {
      const known = await catalog.findSession(token)
      const session = known && isOver(known) ? await renewSession(known) : known
      // This request is a use of it.
      return (
        session && { kind: 'user', user: session.user, signIn: { ...session.signIn, lastSeenAt: clock() } }
      )
    },

    async renew(caller) {
      if (caller.kind === 'anonymous') return caller
      if (caller.kind === 'user') return renewSession(caller)
      const key = await catalog.renewKey(caller.key)
      return key && { kind: 'key', key }
    },

    mayBeOver: (caller) => caller.kind === 'user' && isOver(caller),

    noteUse(caller) {
      if (caller.kind === 'key') keyUsage.note(caller.key.id)
      if (caller.kind === 'user') signInUsage.note(caller.signIn.id)
    },

    async flush() {
      await Promise.all([keyUsage.flush(), signInUsage.flush()])
    },
  }
}
