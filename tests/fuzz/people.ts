import { CSRF_HEADER, type Role } from '@bugle/contract'
import { mintLink } from '../../packages/server/src/domain/people/one-time-links.ts'
import type { ProjectRecord } from '../../packages/server/src/model/projects.ts'
import type { Storage } from '../../packages/server/src/storage/storage.ts'
import { makeSession } from '../../packages/server/test-support/make-session.ts'
import type { FuzzCaller } from './world.ts'

/** A person who is signed in, and can sign in again. */
export interface Person extends FuzzCaller {
  readonly email: string
  /** The one-time link with which they may set a password. */
  readonly linkToken: string
}

interface PersonOptions {
  readonly role: Role
  readonly canSeeSecurity: boolean
  readonly projects?: readonly ProjectRecord[]
}

export async function addPerson(storage: Storage, options: PersonOptions): Promise<Person> {
  const email = `${options.role}-${options.canSeeSecurity}-${options.projects?.length ?? 'all'}@example.com`
  const { user } = makeSession({ ...options, email }, Date.now())
  await storage.users.create(user)
  const { token, link } = mintLink(user.id, Date.now())
  await storage.users.createLink(link)
  let cookie = ''

  async function renew(): Promise<void> {
    const session = makeSession({ ...options, email }, Date.now())
    const { passwordHash = null } = (await storage.users.find(email)) ?? {}
    await storage.signIns.create({ ...session.signIn, userId: user.id }, passwordHash)
    cookie = session.cookie
  }

  await renew()
  return {
    name: email,
    email,
    linkToken: token,
    get headers() {
      return { cookie, [CSRF_HEADER.toLowerCase()]: '1' }
    },
    renew,
  }
}
