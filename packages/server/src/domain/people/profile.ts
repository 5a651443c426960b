import type { Session } from '@bugle/contract'
import type { ProfilePatch } from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
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
      const change = {
        ...(patch.email !== undefined && { email: normaliseEmail(patch.email) }),
        ...(patch.name !== undefined && { name: patch.name.trim() }),
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
