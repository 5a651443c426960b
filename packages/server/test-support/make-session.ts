import { SESSION_COOKIE } from '@bugle/contract'
import { mintOpaqueToken } from '../src/domain/opaque-tokens.ts'
import { makeUser } from '../src/domain/people/users.ts'
import { hashToken } from '../src/domain/projects/keys.ts'
import { mintUnshardedId } from '../src/model/ids.ts'
import type { SessionRecord } from '../src/model/people/users.ts'
import type { UserOptions } from './start-app.ts'

/** A person with a session, to be stored, and the session cookie. They have no password, because hashing is slow. */
export function makeSession(
  {
    email,
    name = 'Somebody',
    role = 'admin',
    canSeeSecurity = false,
    projects,
    signedInAt,
  }: UserOptions & { email: string },
  now: number,
): SessionRecord & { readonly cookie: string } {
  const projectIds = projects?.map(({ id }) => id) ?? null
  const user = makeUser({ email, name, role, canSeeSecurity, projectIds, createdAt: now })
  const token = mintOpaqueToken()
  const signIn = {
    id: mintUnshardedId('sgn', now),
    userId: user.id,
    hash: hashToken(token),
    userAgent: null,
    createdAt: signedInAt ?? now,
    lastSeenAt: now,
  }
  return { user, signIn, cookie: `${SESSION_COOKIE}=${token}` }
}
