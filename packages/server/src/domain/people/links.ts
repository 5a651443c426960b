import type { Fault, Link, LinkAcceptance } from '@bugle/contract'
import type { FoundLink, UserRecord } from '../../model/users.ts'
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

/** What can be done with a one-time link. */
export interface Links {
  /** Whether there is no admin yet, so that a setup link is needed. */
  isSetupPending(): Promise<boolean>
  /** What it is for. It is not used up. */
  read(token: string, device: Device): Promise<Link>
  /** Uses it up: sets the password and signs in. */
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

  /** The first person may do everything, and adds the others. */
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

  /** Once there is an admin there always is one: the last one cannot be removed. */
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
  if (!email)
    faults.push({ pointer: '#/email', code: 'required', detail: 'email must be your e-mail address.' })
  if (!name?.trim())
    faults.push({ pointer: '#/name', code: 'required', detail: 'name must be what you are called.' })
  if (!email || !name || faults.length > 0) {
    const detail = faults.length === 1 ? '1 member is not valid.' : `${faults.length} members are not valid.`
    throw new DomainError('validation-failed', { detail, faults })
  }
  return { email: normaliseEmail(email), name, password }
}

function withoutEmail(acceptance: LinkAcceptance): LinkAcceptance {
  if (!acceptance.email) return acceptance
  throw badMember('email', 'unexpected', 'email must be left out: the link is for one address.')
}

/** The same for one that was used, is too old or never was. */
function linkInvalid(): DomainError {
  return new DomainError('link-invalid', {
    detail:
      'The link was used, is too old, or never was; that of the first start ends when somebody is added. Whoever runs the server can make a new one: npx bugle user link EMAIL, or npx bugle user add --role admin where there is no admin yet.',
  })
}
