import type { Clock } from '../../clock.ts'
import { isExpired } from '../../model/people/access-tokens.ts'
import type { SessionRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { endOfSession } from '../people/session-lifetime.ts'
import type { Catalog } from '../projects/catalog.ts'
import { createUsage } from '../projects/usage.ts'
import type { Caller, TokenCaller, UserCaller } from './access.ts'

/** The callers of requests and streams. */
export interface Callers {
  /** The person with this session token, unless it is unknown or expired. */
  findUser(token: string): Promise<UserCaller | undefined>
  /** The person with this personal access token, unless it is unknown, revoked or expired. */
  findTokenOwner(token: string): Promise<TokenCaller | undefined>
  /** The current state of a long-lived caller; undefined once it is no longer valid. */
  renew(caller: Caller): Promise<Caller | undefined>
  /** Whether a long-lived session or token may have expired, as far as this node knows. */
  mayBeOver(caller: Caller): boolean
  /** Notes that a key, a token or a session was used. */
  noteUse(caller: Caller): void
  /** Stores when keys, tokens and sessions were used. Called periodically, and at shutdown. */
  flush(): Promise<void>
}

interface CallerDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
}

export function createCallers({ storage, catalog, clock }: CallerDependencies): Callers {
  const keyUsage = createUsage(storage.keys.recordUses, clock)
  const tokenUsage = createUsage(storage.accessTokens.recordUses, clock)
  const signInUsage = createUsage(storage.signIns.recordUses, clock)

  function isOver({ signIn }: SessionRecord): boolean {
    const lastSeenAt = Math.max(signIn.lastSeenAt, signInUsage.lastNoted(signIn.id) ?? 0)
    return endOfSession({ ...signIn, lastSeenAt }) <= clock()
  }

  /** The session as stored, because another node may have used it since. */
  async function renewSession({ signIn: { hash } }: SessionRecord): Promise<UserCaller | undefined> {
    const session = await storage.signIns.findByHash(hash)
    return session === undefined || isOver(session) ? undefined : { kind: 'user', ...session }
  }

  return {
    async findUser(token) {
      const known = await catalog.findSession(token)
      const session = known && isOver(known) ? await renewSession(known) : known
      // This request counts as a use.
      return (
        session && { kind: 'user', user: session.user, signIn: { ...session.signIn, lastSeenAt: clock() } }
      )
    },

    async findTokenOwner(token) {
      const owned = await catalog.findAccessToken(token)
      return owned && !isExpired(owned.token, clock()) ? { kind: 'token', ...owned } : undefined
    },

    async renew(caller) {
      if (caller.kind === 'anonymous') return caller
      if (caller.kind === 'user') return renewSession(caller)
      if (caller.kind === 'token') {
        const owned = await storage.accessTokens.findByHash(caller.token.hash)
        return owned && !isExpired(owned.token, clock()) ? { kind: 'token', ...owned } : undefined
      }
      const key = await catalog.renewKey(caller.key)
      return key && { kind: 'key', key }
    },

    mayBeOver(caller) {
      if (caller.kind === 'token') return isExpired(caller.token, clock())
      return caller.kind === 'user' && isOver(caller)
    },

    noteUse(caller) {
      if (caller.kind === 'key') keyUsage.note(caller.key.id)
      if (caller.kind === 'token') tokenUsage.note(caller.token.id)
      if (caller.kind === 'user') signInUsage.note(caller.signIn.id)
    },

    async flush() {
      await Promise.all([keyUsage.flush(), tokenUsage.flush(), signInUsage.flush()])
    },
  }
}
