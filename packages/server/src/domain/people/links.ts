import type { Fault, Link, LinkAcceptance } from '@bugle/contract'
import type { FoundLink, UserRecord } from '../../model/people/users.ts'
import { badMember, DomainError } from '../domain-error.ts'
import { isOpaqueToken } from '../opaque-tokens.ts'
import { hashToken } from '../projects/keys.ts'
import { showLink } from './one-time-links.ts'
import {
  checkPassword,
  type Device,
  type OpenedSession,
  type SessionDependencies,
  type Sessions,
} from './sessions.ts'
import { makeUser, normaliseEmail } from './users.ts'

/** The operations on one-time links. */
export interface Links {
  /** Whether there is no admin yet, so that a setup link is needed. */
  isSetupPending(): Promise<boolean>
  /** Reads a link without redeeming it. */
  read(token: string, device: Device): Promise<Link>
  /** Redeems it: sets the password and signs in. */
  accept(acceptance: LinkAcceptance, device: Device): Promise<OpenedSession>
}

interface LinkDependencies extends SessionDependencies {
  readonly sessions: Sessions
}

export function createLinks({
  storage,
  clock,
  passwords,
  throttle,
  sessions,
  refresh,
}: LinkDependencies): Links {
  async function requireLink(token: string, { address }: Device): Promise<FoundLink> {
    const attempt = throttle.admitLink(address)
    const link = isOpaqueToken(token)
      ? await attempt.judge(storage.users.findLink(hashToken(token)))
      : undefined
    const isOrphan = link?.userId !== null && link?.user === null
    if (link === undefined || isOrphan || link.expiresAt <= clock()) throw linkInvalid()
    attempt.forgive()
    return link
  }

  async function acceptOfUser(
    { hash }: FoundLink,
    user: UserRecord,
    given: LinkAcceptance,
  ): Promise<UserRecord> {
    checkPassword('password', given.password, user.email)
    const passwordHash = await passwords.hash(given.password)
    const name = given.name?.trim() || null
    const accepted = await storage.users.acceptLink({ hash, at: clock(), passwordHash, name })
    if (accepted === 'missing') throw linkInvalid()
    return accepted
  }

  /** The first person is an admin with access to security issues. */
  async function acceptFirst(
    { hash }: FoundLink,
    { email, name, password }: FirstPerson,
  ): Promise<UserRecord> {
    const createdAt = clock()
    const given = { role: 'admin', canSeeSecurity: true, projectIds: null, createdAt } as const
    const person = makeUser({ ...given, email, name: name.trim() })
    checkPassword('password', password, person.email)
    const user = { ...person, passwordHash: await passwords.hash(password) }
    const outcome = await storage.users.acceptFirstLink({ hash, at: clock(), user })
    if (outcome === 'email-taken') throw badMember('email', 'taken', 'email belongs to another person.')
    if (outcome === 'missing') throw linkInvalid()
    return user
  }

  /** Once there is an admin, there always is one, because the last one cannot be removed. */
  let isSetUp = false

  return {
    async isSetupPending() {
      isSetUp ||= await storage.users.hasAdmin()
      return !isSetUp
    },

    read: async (token, device) => showLink(await requireLink(token, device)),

    async accept(acceptance, device) {
      const link = await requireLink(acceptance.token, device)
      const user =
        link.user === null
          ? await acceptFirst(link, readFirstPerson(acceptance))
          : await acceptOfUser(link, link.user, withoutEmail(acceptance))
      await refresh()
      return sessions.open(user, device)
    },
  }
}

interface FirstPerson {
  readonly email: string
  readonly name: string
  readonly password: string
}

function readFirstPerson({ email, name, password }: LinkAcceptance): FirstPerson {
  const faults: Fault[] = []
  if (!email) faults.push({ pointer: '#/email', code: 'required', detail: 'email is required.' })
  if (!name?.trim()) faults.push({ pointer: '#/name', code: 'required', detail: 'name is required.' })
  if (!email || !name || faults.length > 0) {
    const detail = faults.length === 1 ? '1 field is not valid.' : `${faults.length} fields are not valid.`
    throw new DomainError('validation-failed', { detail, faults })
  }
  return { email: normaliseEmail(email), name, password }
}

function withoutEmail(acceptance: LinkAcceptance): LinkAcceptance {
  if (!acceptance.email) return acceptance
  throw badMember('email', 'unexpected', 'email must be omitted, because the link already has one.')
}

/** The same for a link that was used, has expired or never existed. */
function linkInvalid(): DomainError {
  return new DomainError('link-invalid', {
    detail:
      'The link was already used, has expired or does not exist. The setup link stops working as soon as there is an admin. To create a new link, run "npx bugle user link EMAIL" on the server, or "npx bugle user add --role admin" if there is no admin yet.',
  })
}
