import type { LinkAcceptance, PasswordChange, Session, SignInRequest } from '@bugle/contract'
import type { Clock } from '../clock.ts'
import { mintUnshardedId } from '../ids.ts'
import type { SessionRecord, SignInRecord, UserRecord } from '../storage/records/users.ts'
import type { Storage } from '../storage/storage.ts'
import { type Caller, requireUser } from './access.ts'
import { badMember, credentialsRequired, DomainError } from './domain-error.ts'
import { isoTime } from './iso-time.ts'
import { hashToken } from './keys.ts'
import { mintOpaqueToken } from './opaque-tokens.ts'
import type { Passwords } from './passwords.ts'
import { endOf } from './session-lifetime.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { normaliseEmail, showUser } from './users.ts'

const MAX_USER_AGENT_CHARS = 256

/** How people get in, and what they do with their password. */
export interface Sessions {
  signIn(request: SignInRequest, device: Device): Promise<OpenedSession>
  get(caller: Caller): Session
  changePassword(caller: Caller, change: PasswordChange, device: Device): Promise<void>
  /** Signs a person in who has shown otherwise that it is them. */
  open(user: UserRecord, device: Device): Promise<OpenedSession>
}

/** Where a person signs in from. */
export interface Device {
  readonly address: string
  readonly userAgent: string | undefined
}

/** A session that has just begun, with the token of its cookie. */
export interface OpenedSession {
  readonly token: string
  readonly session: Session
}

export interface SessionParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly passwords: Passwords
  readonly throttle: SignInThrottle
  /** Lets this process know at once what it has ended. */
  readonly refresh: () => Promise<void>
}

export function createSessions({ storage, clock, passwords, throttle, refresh }: SessionParts): Sessions {
  async function open(user: UserRecord, { userAgent }: Device): Promise<OpenedSession> {
    const token = mintOpaqueToken()
    const now = clock()
    const signIn: SignInRecord = {
      id: mintUnshardedId('sgn', now),
      userId: user.id,
      hash: hashToken(token),
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARS).toWellFormed() ?? null,
      createdAt: now,
      lastSeenAt: now,
    }
    if ((await storage.signIns.create(signIn, user.passwordHash)) === 'outdated') throw signInFailed()
    return { token, session: showSession({ user, signIn }) }
  }

  return {
    open,

    async signIn({ email, password }, device) {
      const account = normaliseEmail(email)
      const attempt = throttle.admit(device.address, account)
      // An id finds people too, but nobody signs in with one.
      const user = account.includes('@') ? await storage.users.find(account) : undefined
      const isRight = await passwords.verify(password, user?.passwordHash ?? null)
      if (user === undefined || !isRight) throw signInFailed()
      attempt.forgive()
      return open(user, device)
    },

    get: (caller) => showSession(requireUser(caller)),

    async changePassword(caller, { currentPassword, newPassword }, { address }) {
      const { user, signIn } = requireUser(caller)
      const attempt = throttle.admit(address, user.email)
      const current = await storage.users.find(user.id)
      if (!(await passwords.verify(currentPassword, current?.passwordHash ?? null))) {
        throw badMember('currentPassword', 'incorrect', 'currentPassword is not your password.')
      }
      attempt.forgive()
      checkPassword('newPassword', newPassword, user.email)
      const passwordHash = await passwords.hash(newPassword)
      const order = { userId: user.id, passwordHash, keptSignInId: signIn.id }
      if ((await storage.users.setPassword(order)) === 'missing') throw credentialsRequired()
      await refresh()
    },
  }
}

/** Refuses the one password that everybody tries first. How long it must be, the contract says. */
export function checkPassword(
  member: keyof LinkAcceptance | keyof PasswordChange,
  password: string,
  email: string,
): void {
  if (normaliseEmail(password) !== email) return
  throw badMember(member, 'password', `${member} must not be the e-mail address.`)
}

function showSession({ user, signIn }: SessionRecord): Session {
  return { user: showUser(user), createdAt: isoTime(signIn.createdAt), expiresAt: isoTime(endOf(signIn)) }
}

/** The same for a wrong address and a wrong password: a stranger must not learn who has an account. */
function signInFailed(): DomainError {
  return new DomainError('sign-in-failed', { detail: 'The e-mail address or the password is wrong.' })
}
