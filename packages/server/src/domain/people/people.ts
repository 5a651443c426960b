import type { Clock } from '../../clock.ts'
import type { HashCost } from '../../model/people/password-hashes.ts'
import type { Storage } from '../../storage/storage.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { createLinks, type Links } from './links.ts'
import { createPasswords } from './passwords.ts'
import { createProfile, type Profile } from './profile.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'
import { createViews, type Views } from './views.ts'

/** The operations of people on their own account. */
export interface People {
  readonly sessions: Sessions
  readonly links: Links
  readonly signIns: SignIns
  readonly views: Views
  readonly accessTokens: AccessTokens
  readonly profile: Profile
}

interface PeopleDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly finder: IssueFinder
  /** Notifies this process immediately of ended sessions. */
  readonly refresh: () => Promise<void>
  /** The cost of hashing a password; lower in tests that are not about passwords. */
  readonly hashCost?: HashCost | undefined
}

export function createPeople({ storage, clock, finder, refresh, hashCost }: PeopleDependencies): People {
  const passwords = createPasswords(hashCost)
  const throttle = createSignInThrottle(clock)
  const parts = { storage, clock, passwords, throttle, refresh }
  const sessions = createSessions(parts)
  return {
    sessions,
    links: createLinks({ ...parts, sessions }),
    signIns: createSignIns(parts),
    views: createViews({ storage, clock, finder }),
    accessTokens: createAccessTokens(parts),
    profile: createProfile(parts),
  }
}
