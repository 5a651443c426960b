import type { SignIn, SignInList } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { isId, type SignInId } from '../../model/ids.ts'
import type { SignInRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
import { notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import { endOfSession } from './session-lifetime.ts'

/** Listing and ending the sessions of a person. */
export interface SignIns {
  list(caller: Caller): Promise<SignInList>
  end(caller: Caller, id: string): Promise<void>
  /** Ends the current session. */
  endOwn(caller: Caller): Promise<void>
  endAll(caller: Caller): Promise<void>
}

interface SignInDependencies {
  readonly storage: Storage
  readonly clock: Clock
  /** Notifies this process immediately of ended sessions. */
  readonly refresh: () => Promise<void>
}

export function createSignIns({ storage: { signIns }, clock, refresh }: SignInDependencies): SignIns {
  return {
    async list(caller) {
      const { user, signIn: current } = requireUser(caller)
      const now = clock()
      const others = (await signIns.list(user.id)).map((one) => (one.id === current.id ? current : one))
      const alive = others.filter((one) => endOfSession(one) > now)
      return { data: alive.map((one) => showSignIn(one, current.id)) }
    },

    async end(caller, id) {
      const { user } = requireUser(caller)
      if (!isId('sgn', id) || (await signIns.end(user.id, id)) === 'missing') throw notFound()
      await refresh()
    },

    async endOwn(caller) {
      const { user, signIn } = requireUser(caller)
      // It has already ended, which is the desired result.
      await signIns.end(user.id, signIn.id)
      await refresh()
    },

    async endAll(caller) {
      await signIns.endAll(requireUser(caller).user.id)
      await refresh()
    },
  }
}

function showSignIn(signIn: SignInRecord, currentId: SignInId): SignIn {
  return {
    id: signIn.id,
    createdAt: isoTime(signIn.createdAt),
    lastSeenAt: isoTime(signIn.lastSeenAt),
    expiresAt: isoTime(endOfSession(signIn)),
    userAgent: signIn.userAgent,
    isCurrent: signIn.id === currentId,
  }
}
