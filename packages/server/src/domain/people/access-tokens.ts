import { ACCESS_TOKEN_PREFIX, MAX_ACCESS_TOKENS, scopesOf } from '@bugle/contract'
import type {
  AccessToken,
  AccessTokenCreation,
  AccessTokenList,
  CreatedAccessToken,
} from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import { isId, mintUnshardedId } from '../../model/ids.ts'
import type { AccessTokenRecord } from '../../model/people/access-tokens.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import { endingOf, hashToken, mintToken } from '../projects/keys.ts'

const DAY_MS = 86_400_000

/** The personal access tokens of the person who is signed in. */
export interface AccessTokens {
  list(caller: Caller): Promise<AccessTokenList>
  create(caller: Caller, given: AccessTokenCreation): Promise<CreatedAccessToken>
  revoke(caller: Caller, id: string): Promise<void>
}

interface AccessTokenDependencies {
  readonly storage: Storage
  readonly clock: Clock
  /** Makes a revoked token known to this process immediately. */
  readonly refresh: () => Promise<void>
}

export function createAccessTokens({ storage, clock, refresh }: AccessTokenDependencies): AccessTokens {
  return {
    async list(caller) {
      const tokens = await storage.accessTokens.list(requireUser(caller).user.id)
      return { data: tokens.map(showAccessToken) }
    },

    async create(caller, { name, scopes, expiresInDays = null }) {
      const { user } = requireUser(caller)
      const held = scopesOf(user.role, user.canSeeSecurity)
      const missing = scopes.find((scope) => !held.includes(scope))
      if (missing !== undefined) {
        throw new DomainError('insufficient-scope', {
          detail: `You cannot create a token with the scope "${missing}", because you do not have it.`,
        })
      }
      const createdAt = clock()
      const { token, record } = mintAccessToken({
        userId: user.id,
        name: name.trim(),
        scopes: held.filter((scope) => scopes.includes(scope)),
        createdAt,
        expiresAt: expiresInDays === null ? null : createdAt + expiresInDays * DAY_MS,
      })
      const outcome = await storage.actingAs(user.id, clock).accessTokens.create(record)
      if (outcome === 'no-user') throw credentialsRequired()
      if (outcome === 'too-many') {
        throw new DomainError('limit-reached', { detail: `A person can have ${MAX_ACCESS_TOKENS} tokens.` })
      }
      return { ...showAccessToken(record), token }
    },

    async revoke(caller, id) {
      const { user } = requireUser(caller)
      const owned = isId('pat', id) ? await storage.accessTokens.find(id) : undefined
      if (owned?.user.id !== user.id) throw notFound()
      if ((await storage.actingAs(user.id, clock).accessTokens.revoke(owned.token.id)) === 'missing')
        throw notFound()
      await refresh()
    },
  }
}

/** Creates a token. Its text is returned separately, because only its hash is stored. */
export function mintAccessToken(
  given: Pick<AccessTokenRecord, 'userId' | 'name' | 'scopes' | 'createdAt' | 'expiresAt'>,
): { readonly token: string; readonly record: AccessTokenRecord } {
  const token = mintToken(ACCESS_TOKEN_PREFIX)
  const record: AccessTokenRecord = {
    ...given,
    id: mintUnshardedId('pat', given.createdAt),
    hash: hashToken(token),
    ending: endingOf(token),
    lastUsedAt: null,
  }
  return { token, record }
}

/** A token as its owner and admins see it. */
export function showAccessToken(token: AccessTokenRecord): AccessToken {
  const { id, name, ending, createdAt, expiresAt, lastUsedAt } = token
  return {
    ...{ id, name, ending },
    scopes: [...token.scopes],
    createdAt: isoTime(createdAt),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
