import type { Session } from '@bugle/contract'
import type { ProfilePatch } from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
import { requireRecentSignIn } from '../administration/admins.ts'
import { badMember, credentialsRequired } from '../domain-error.ts'
import { showSession } from './sessions.ts'
import { normaliseEmail } from './users.ts'

/** What a person changes about themselves: never their rights. */
export interface Profile {
  update(caller: Caller, patch: ProfilePatch): Promise<Session>
}

interface ProfileDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly refresh: () => Promise<void>
}

export function createProfile({ storage, clock, refresh }: ProfileDependencies): Profile {
  return {
    async update(caller, patch) {
      const { user, signIn } = requireUser(caller)
      const email = patch.email === undefined ? user.email : normaliseEmail(patch.email)
      const name = patch.name?.trim() ?? user.name
      // People sign in with it.
      if (email !== user.email) requireRecentSignIn({ kind: 'user', user, signIn }, clock())
      const change = {
        ...(patch.email !== undefined && { email }),
        ...(patch.name !== undefined && { name }),
      }
      const outcome = await storage.actingAs(user.id, clock).users.update(user.id, change)
      if (outcome === 'missing') throw credentialsRequired()
      if (outcome === 'email-taken')
        throw badMember('email', 'taken', 'Another person already has this email address.')
      await refresh()
      return showSession({ user: { ...user, ...change }, signIn })
    },
  }
}
