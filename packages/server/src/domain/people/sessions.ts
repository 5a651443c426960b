import { promisify } from 'node:util'
import type { LinkAcceptance, PasswordChange, Session, SignInRequest } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { mintUnshardedId } from '../../model/ids.ts'
import type { SessionRecord, SignInRecord, UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireUser } from '../access/access.ts'
import { badMember, credentialsRequired, DomainError } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import { mintOpaqueToken } from '../opaque-tokens.ts'
import { hashToken } from '../projects/keys.ts'
import { findDeviceId, isDeviceToken, mintDeviceToken } from './known-devices.ts'
import type { PasswordLane, Passwords } from './passwords.ts'
import { endOfSession } from './session-lifetime.ts'
import type { Attempt, SignInThrottle } from './sign-in-throttle.ts'
import { isEmail, normaliseEmail, showUser } from './users.ts'

const MAX_USER_AGENT_CHARS = 256
/** Longer than an account lookup, so that the duration of a refusal does not reveal whether the account exists. */
const SHORTEST_REFUSAL_MS = 25
const sleep = promisify(setTimeout)

/** Signing in, and changing passwords. */
export interface Sessions {
  signIn(request: SignInRequest, device: Device): Promise<OpenedSession>
  get(caller: Caller): Session
  /** Resolves to the token that identifies the browser from now on. */
  changePassword(caller: Caller, change: PasswordChange, device: Device): Promise<string>
  /** Signs in a person who is already authenticated, for example by a link. */
  open(user: UserRecord, device: Device): Promise<OpenedSession>
}

/** Where a person signs in from. */
export interface Device {
  readonly address: string
  readonly userAgent: string | undefined
  /** The device token, if any. */
  readonly token: string | undefined
}

/** A new session, with the tokens of its cookies. */
export interface OpenedSession {
  readonly token: string
  readonly deviceToken: string
  readonly session: Session
}

interface AdmittedAttempt {
  readonly attempt: Attempt
  readonly user: UserRecord | undefined
  readonly lane: PasswordLane
}

export interface SessionDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly passwords: Passwords
  readonly throttle: SignInThrottle
  /** Makes ended sessions known to this process immediately. */
  readonly refresh: () => Promise<void>
}

export function createSessions({
  storage,
  clock,
  passwords,
  throttle,
  refresh,
}: SessionDependencies): Sessions {
  async function open(user: UserRecord, { userAgent }: Device): Promise<OpenedSession> {
    const token = mintOpaqueToken()
    const now = clock()
    const signIn: SignInRecord = {
      id: mintUnshardedId('sgn', now),
      userId: user.id,
      hash: hashToken(token),
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARS) ?? null,
      createdAt: now,
      lastSeenAt: now,
    }
    if ((await storage.signIns.create(signIn, user.passwordHash)) === 'outdated') throw signInFailed()
    return { token, deviceToken: mintDeviceToken(user), session: showSession({ user, signIn }) }
  }

  // `find` also accepts an id, but people cannot sign in with one.
  const findAccount = async (email: string) => (isEmail(email) ? storage.users.find(email) : undefined)

  async function admit(email: string, { address, token }: Device): Promise<AdmittedAttempt> {
    if (isDeviceToken(token)) return admitByDevice(email, address, token)
    // Refused before the account is looked up, so that a refusal does not reveal whether it exists.
    const attempt = throttle.admit({ address, email, deviceId: null })
    return { attempt, user: await attempt.judge(findAccount(email)), lane: 'unknown' }
  }

  async function admitByDevice(email: string, address: string, token: string): Promise<AdmittedAttempt> {
    const shortestRefusal = sleep(SHORTEST_REFUSAL_MS)
    const user = await findAccount(email)
    const deviceId = user === undefined ? null : findDeviceId(token, user)
    try {
      const attempt = throttle.admit({ address, email, deviceId })
      return { attempt, user, lane: deviceId === null ? 'unknown' : 'known' }
    } catch (refusal) {
      await shortestRefusal
      throw refusal
    }
  }

  return {
    open,

    async signIn({ email, password }, device) {
      const account = normaliseEmail(email)
      const { attempt, user, lane } = await admit(account, device)
      const isRight = await attempt.judge(passwords.verify(password, user?.passwordHash ?? null, lane))
      if (user === undefined || !isRight) throw signInFailed()
      attempt.forgive()
      return open(user, device)
    },

    get: (caller) => showSession(requireUser(caller)),

    async changePassword(caller, { currentPassword, newPassword }, { address }) {
      const { user, signIn } = requireUser(caller)
      const attempt = throttle.admit({ address, email: user.email, deviceId: signIn.id })
      const currentHash = (await attempt.judge(storage.users.find(user.id)))?.passwordHash ?? null
      if (!(await attempt.judge(passwords.verify(currentPassword, currentHash, 'known')))) {
        throw badMember('currentPassword', 'incorrect', 'currentPassword is wrong.')
      }
      attempt.forgive()
      checkPassword('newPassword', newPassword, user.email)
      const passwordHash = await passwords.hash(newPassword)
      const command = { userId: user.id, at: clock(), currentHash, passwordHash, keptSignInId: signIn.id }
      if ((await storage.users.setPassword(command)) === 'outdated') throw credentialsRequired()
      await refresh()
      return mintDeviceToken({ ...user, passwordHash })
    },
  }
}

/** Refuses the password that attackers try first. The minimum length is checked by the contract. */
export function checkPassword(
  member: keyof LinkAcceptance | keyof PasswordChange,
  password: string,
  email: string,
): void {
  if (normaliseEmail(password) !== email) return
  throw badMember(member, 'password', `${member} must not be the email address.`)
}

export function showSession({ user, signIn }: SessionRecord): Session {
  return {
    user: showUser(user),
    createdAt: isoTime(signIn.createdAt),
    expiresAt: isoTime(endOfSession(signIn)),
  }
}

/** The same for a wrong address and a wrong password, so that a stranger cannot learn who has an account. */
function signInFailed(): DomainError {
  return new DomainError('sign-in-failed', { detail: 'The email address or the password is wrong.' })
}
