import {
  type Access,
  type Endpoint,
  type ErrorCode,
  isCausedBy,
  RECENT_SIGN_IN_MS,
  type Scope,
  scopesOf,
} from '@bugle/contract'
import type { AuditActor } from '../../model/audit-log.ts'
import type { Actor } from '../../model/events.ts'
import type { ProjectId, ReporterId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import type { Lane } from '../../model/lanes.ts'
import { type OwnedToken, scopesOfToken } from '../../model/people/access-tokens.ts'
import type { SessionRecord, UserRecord } from '../../model/people/users.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'

/** The caller of a request. */
export type Caller = { readonly kind: 'anonymous' } | KeyCaller | UserCaller | TokenCaller

export interface KeyCaller {
  readonly kind: 'key'
  readonly key: KeyRecord
}

/** A person, with a session. */
export interface UserCaller extends SessionRecord {
  readonly kind: 'user'
}

/** A program of a person, with a personal access token. */
export interface TokenCaller extends OwnedToken {
  readonly kind: 'token'
}

type KnownCaller = KeyCaller | UserCaller | TokenCaller

export const ANONYMOUS: Caller = { kind: 'anonymous' }

/** What a caller may see of a project. */
export interface Sight {
  readonly lanes: readonly Lane[]
  /** Whether the private fields of issues are shown. */
  readonly seesPrivateMembers: boolean
}

/** What anyone may see of a public project. */
export const PUBLIC_SIGHT: Sight = { lanes: ['open'], seesPrivateMembers: false }
const TEAM_SIGHT: Sight = { lanes: ['open'], seesPrivateMembers: true }
const FULL_SIGHT: Sight = { lanes: ['open', 'security'], seesPrivateMembers: true }

type Refusal = Extract<ErrorCode, 'credentials-required' | 'insufficient-scope' | 'not-found'>

/** THE ACCESS RULE. Every read and every change goes through it; `project` is the requested project, if it exists. */
export function judgeAccess(
  caller: Caller,
  access: Access,
  project: ProjectRecord | undefined,
): Sight | Refusal {
  const isOpenToAll = access.publicProject && project?.isPublic === true
  if (caller.kind === 'anonymous') return isOpenToAll ? PUBLIC_SIGHT : 'credentials-required'

  const isOwn = project !== undefined && reaches(caller, project.id)
  // The scope is checked before the project, so that callers without it cannot learn whether the project exists.
  if (!mayCall(caller, access)) return isOwn && isOpenToAll ? PUBLIC_SIGHT : 'insufficient-scope'
  if (!isOwn) return 'not-found'
  return scopesOfCaller(caller).includes('security:read') ? FULL_SIGHT : TEAM_SIGHT
}

/** Like {@link judgeAccess}, but throws a refusal as an error. */
export function requireSight(caller: Caller, access: Access, project: ProjectRecord | undefined): Sight {
  const verdict = judgeAccess(caller, access, project)
  return typeof verdict === 'string' ? refuse(verdict, access) : verdict
}

/** For operations across projects: the projects that the caller may access; `null` for all. Throws if not permitted. */
export function requireReach(caller: Caller, access: Access): readonly ProjectId[] | null {
  if (caller.kind === 'anonymous') return refuse('credentials-required', access)
  return mayCall(caller, access) ? reachOf(caller) : refuse('insufficient-scope', access)
}

/** For lists of issues across projects: the projects, as in {@link requireReach}, and what the caller may see of each. */
export function requireJointSight(caller: Caller, access: Access): JointSight {
  const projectIds = requireReach(caller, access)
  return { projectIds, sight: hasScope(caller, 'security:read') ? FULL_SIGHT : TEAM_SIGHT }
}

export interface JointSight {
  readonly projectIds: readonly ProjectId[] | null
  readonly sight: Sight
}

interface EffectfulCall {
  /** As validated. */
  readonly body: unknown
  readonly now: number
}

/**
 * THE RULE OF RECENT SIGN-INS. Anyone who finds an unlocked computer can read what its owner can read, but must not be able
 * to grant access, or to delete or export data in bulk. Keys and tokens have no sign-in.
 */
export function requireRecentSignIn(
  caller: Caller,
  { access, effect }: Pick<Endpoint, 'access' | 'effect'>,
  { body, now }: EffectfulCall,
): void {
  if (caller.kind !== 'user' || effect === undefined || !isCausedBy(effect, body)) return
  if (now - caller.signIn.createdAt <= RECENT_SIGN_IN_MS) return
  // A new sign-in would not help those who lack the scope.
  if (typeof access === 'object' && access !== null && !mayCall(caller, access))
    refuse('insufficient-scope', access)
  throw new DomainError('recent-sign-in-required', {
    detail: 'This action requires a sign-in within the last 15 minutes. Enter your password again.',
  })
}

/** For operations on a person's own account: the person who is signed in. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller
  if (caller.kind === 'anonymous') {
    throw new DomainError('credentials-required', { detail: 'Sign in first: POST /session.' })
  }
  throw new DomainError('insufficient-scope', {
    detail: 'This operation is for people who are signed in, not for keys or tokens.',
  })
}

/** The person who calls, in a browser or through a program. */
export function personOf(caller: Caller): UserRecord | undefined {
  return caller.kind === 'user' || caller.kind === 'token' ? caller.user : undefined
}

/** The default project, which is the key's own; `null` if the project must be given. */
export function homeOf(caller: Caller): ProjectId | null | undefined {
  if (caller.kind === 'anonymous') return undefined
  return caller.kind === 'key' ? caller.key.projectId : null
}

/** Whether the caller was granted a scope; a public key never has scopes. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.kind !== 'anonymous' && scopesOfCaller(caller).includes(scope)
}

/** The actor to record in the history. */
export function actorOf(caller: Caller): Exclude<Actor, ReporterId> {
  if (caller.kind === 'anonymous') return null
  return caller.kind === 'key' ? caller.key.id : caller.user.id
}

/** The actor to record in the audit log. */
export function auditActorOf(caller: Caller): AuditActor {
  return actorOf(caller) ?? 'system'
}

function mayCall(caller: KnownCaller, access: Access): boolean {
  if (caller.kind === 'key' && caller.key.kind === 'public') return access.publicKey
  return access.scope === null || scopesOfCaller(caller).includes(access.scope)
}

/** Like keys, people have scopes; theirs are determined by their role. A token has those that its owner has, too. */
function scopesOfCaller(caller: KnownCaller): readonly Scope[] {
  if (caller.kind === 'token') return scopesOfToken(caller)
  if (caller.kind === 'user') return scopesOf(caller.user.role, caller.user.canSeeSecurity)
  return caller.key.kind === 'secret' ? caller.key.scopes : []
}

function reaches(caller: KnownCaller, projectId: ProjectId): boolean {
  return reachOf(caller)?.includes(projectId) ?? true
}

function reachOf(caller: KnownCaller): readonly ProjectId[] | null {
  if (caller.kind !== 'key') return caller.user.projectIds
  return caller.key.projectId === null ? null : [caller.key.projectId]
}

function refuse(refusal: Refusal, access: Access): never {
  if (refusal === 'not-found') throw notFound()
  if (refusal === 'credentials-required') throw credentialsRequired()
  throw new DomainError(refusal, {
    detail: `This operation needs a secret key with the scope "${access.scope}", or a person whose role includes it.`,
  })
}
