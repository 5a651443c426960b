import type { Access, ErrorCode } from '@bugle/contract'
import type { Actor } from '../storage/records/events.ts'
import type { KeyRecord } from '../storage/records/keys.ts'
import type { Lane } from '../storage/records/lanes.ts'
import type { ProjectRecord } from '../storage/records/projects.ts'
import { DomainError, notFound } from './domain-error.ts'
import { hasScope } from './keys.ts'

/** Who is asking. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'key'; readonly key: KeyRecord }

export const ANONYMOUS: Caller = { kind: 'anonymous' }

/** What a caller gets to see of a project. */
export interface Sight {
  readonly lanes: readonly Lane[]
  /** Whether the private members of issues are shown. */
  readonly seesPrivateMembers: boolean
}

const PUBLIC_SIGHT: Sight = { lanes: ['open'], seesPrivateMembers: false }
const TEAM_SIGHT: Sight = { lanes: ['open'], seesPrivateMembers: true }
const FULL_SIGHT: Sight = { lanes: ['open', 'security'], seesPrivateMembers: true }

type Refusal = Extract<ErrorCode, 'credentials-required' | 'insufficient-scope' | 'not-found'>

/** THE ACCESS RULE. Every way of reading or changing something goes through it; `project` is what was asked for, if it exists. */
export function judgeAccess(
  caller: Caller,
  access: Access,
  project: ProjectRecord | undefined,
): Sight | Refusal {
  const isOpenToAll = access.publicProject && project?.isPublic === true
  if (caller.kind === 'anonymous') return isOpenToAll ? PUBLIC_SIGHT : 'credentials-required'

  const { key } = caller
  const isOwn = project !== undefined && (key.projectId === null || key.projectId === project.id)
  // The scope before the project: without it, what exists and what does not answer alike.
  if (!mayCall(key, access)) return isOwn && isOpenToAll ? PUBLIC_SIGHT : 'insufficient-scope'
  if (!isOwn) return 'not-found'
  return hasScope(key, 'security:read') ? FULL_SIGHT : TEAM_SIGHT
}

/** {@link judgeAccess}, with a refusal thrown as the error it is answered with. */
export function requireSight(caller: Caller, access: Access, project: ProjectRecord | undefined): Sight {
  const verdict = judgeAccess(caller, access, project)
  return typeof verdict === 'string' ? refuse(verdict, access) : verdict
}

/** For what is about no single project: the caller's key, if it may do this at all. */
export function requireKey(caller: Caller, access: Access): KeyRecord {
  if (caller.kind === 'anonymous') return refuse('credentials-required', access)
  return mayCall(caller.key, access) ? caller.key : refuse('insufficient-scope', access)
}

/** Who the history says did something. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'key' ? caller.key.id : null
}

function mayCall(key: KeyRecord, access: Access): boolean {
  if (key.kind === 'public') return access.publicKey
  return access.scope === null || key.scopes.includes(access.scope)
}

function refuse(refusal: Refusal, access: Access): never {
  if (refusal === 'not-found') throw notFound()
  if (refusal === 'credentials-required') {
    throw new DomainError(refusal, { detail: 'Send a key of the project as "Authorization: Bearer <key>".' })
  }
  throw new DomainError(refusal, { detail: `This needs a secret key with the scope "${access.scope}".` })
}
