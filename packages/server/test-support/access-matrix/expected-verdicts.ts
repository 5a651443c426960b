import type { Endpoint, ErrorCode } from '@bugle/contract'
import type { Caller } from './callers.ts'
import { aboutOf, type Target } from './targets.ts'

export type Verdict = 'ok' | ErrorCode

/** The expected result of the contract's example for callers with access. */
const LET_IN: Readonly<Record<string, ErrorCode>> = {
  signIn: 'sign-in-failed',
  readLink: 'link-invalid',
  acceptLink: 'link-invalid',
  changePassword: 'validation-failed',
  deleteReport: 'first-report',
  // The report of the example has no secret.
  blockReporter: 'no-reporter-secret',
  unblockReporter: 'no-reporter-secret',
  // The revision of the example is never the current one.
  updateProject: 'revision-conflict',
  updateSdkSettings: 'revision-conflict',
  updateKey: 'revision-conflict',
  updateLabel: 'revision-conflict',
  updatePerson: 'revision-conflict',
  // The filter of the example matches nothing.
  changeIssues: 'selection-changed',
  // The issue of the example does not exist.
  mergeIssue: 'validation-failed',
  // The comment is of another key.
  changeComment: 'not-author',
  deleteComment: 'not-author',
  uploadCommentAttachment: 'not-author',
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The calls that widen the readers, grant or protect, destroy many or export. "Everything else needs none": an endpoint
 * that is not listed, or a call that sends something else, accepts an old sign-in.
 */
const NEEDS_RECENT_SIGN_IN: Readonly<Record<string, true | ((given: Fields) => boolean)>> = {
  // Widens readers.
  createProject: ({ isPublic }) => isPublic === true,
  updateProject: ({ isPublic }) => isPublic === true,
  updateKey: ({ origins }) => origins !== undefined,
  createWebhook: true,
  changeWebhook: ({ url, includeSecurity }) => url !== undefined || includeSecurity === true,
  // Grants or protects.
  createKey: true,
  revokeKey: true,
  invitePerson: true,
  updatePerson: true,
  createPersonLink: true,
  removePerson: true,
  revokePersonToken: true,
  createAccessToken: true,
  updateProfile: ({ email }) => email !== undefined,
  rotateWebhookSecret: true,
  // Destroys many.
  deleteProject: true,
  changeIssues: ({ action }) => action === 'delete',
}

/** Endpoint name → fields to send instead of those of the example: all that decide, with each kind of value. */
export const DECIDING_FIELDS: Readonly<Record<string, readonly Fields[]>> = {
  createProject: [{ isPublic: true }, { isPublic: false }],
  updateProject: [{ isPublic: true }, { isPublic: false }, { name: 'New', slug: 'new' }],
  updateKey: [{ origins: [] }, { origins: ['https://app.example'] }, { name: 'New' }],
  createWebhook: [{ includeSecurity: true }, { includeSecurity: false }],
  changeWebhook: [
    { url: 'http://127.0.0.1:9/other' },
    { includeSecurity: true },
    { includeSecurity: false, status: 'paused', name: 'New', eventTypes: null, format: 'slack' },
  ],
  updateProfile: [{ email: 'other@example.com' }, { name: 'New', email: undefined }],
  changeIssues: ['delete', 'mark_spam', 'unmark_spam', 'change'].map((action) => ({ action })),
}

/** The verdict according to the design: section 3, the table of operations and "Keys", and section 6, "People". */
export function expectedOf(endpoint: Endpoint, sender: Caller, target: Target, given: unknown): Verdict {
  const { access } = endpoint
  const { home, exists } = target
  if (access === undefined) throw new Error(`say who may call ${endpoint.name}`)
  // Behind a proxy and without the operator's token: no caller, whatever their key.
  if (access === 'operator') return 'credentials-required'
  if (access === null) return isFromElsewhere(endpoint, sender) ? 'csrf-header-required' : letIn(endpoint)
  const caller = asSeenBy(endpoint, sender)
  if (caller.fault !== undefined && !(caller.isFaultOfChanges && endpoint.method === 'GET'))
    return caller.fault

  // This one has every right, and is asked to sign in again whether or not the resource exists.
  if (sender.hasOldSignIn && needsRecentSignIn(endpoint, given as Fields)) return 'recent-sign-in-required'

  const about = aboutOf(endpoint)
  if (access === 'signed-in') return expectedOfOwn(endpoint, caller, target)
  if (access === 'admin') return expectedOfSettings(endpoint, caller, target)
  const isThere = about === 'thing' ? exists.thing : about === 'project' ? exists.project : true
  const isOpenToAnyone = access.publicProject && home === 'public' && exists.project
  // "Without a credential, what is private, hidden or missing answers the same 401."
  if (caller.kind === 'nobody') return isOpenToAnyone && isThere ? 'ok' : 'credentials-required'

  const isPermitted =
    caller.kind === 'public'
      ? access.publicKey
      : access.scope === null || caller.scopes?.includes(access.scope) === true
  // "Such a key cannot submit and must name projectId." Nor can it send the files of a report, or ask for a reporter. A token belongs to no project, either.
  const isSubmission =
    about === 'the project of the key' ||
    endpoint.isSubmission ||
    endpoint.tag === 'my' ||
    endpoint.path.startsWith('/v1/submissions/')
  if (isSubmission && (caller.reach === 'all' || caller.kind === 'token')) return 'insufficient-scope'
  if (about === 'the project of the key' || about === 'nothing')
    return isPermitted ? 'ok' : 'insufficient-scope'

  // "Something of another project answers 404, in the same words as something that does not exist;
  // a good key without the scope, 403."
  const isReached = exists.project && caller.reach !== 'other'
  if (!isPermitted && !(isOpenToAnyone && isReached)) return 'insufficient-scope'
  if (!isReached || !isThere) return 'not-found'
  // "The author, and callers with `issues:delete`, can delete it."
  if (endpoint.name === 'deleteComment' && caller.scopes?.includes('issues:delete')) return 'ok'
  return letIn(endpoint)
}

function needsRecentSignIn({ name }: Endpoint, given: Fields): boolean {
  const needing = NEEDS_RECENT_SIGN_IN[name] ?? false
  return typeof needing === 'boolean' ? needing : needing(given)
}

/** "A person sees all projects; a key for all projects may list without `projectId`." */
export function expectedWithoutProject({ kind, scopes, fault, isFaultOfChanges }: Caller): Verdict {
  if (fault !== undefined && !isFaultOfChanges) return fault
  if (kind === 'nobody') return 'credentials-required'
  return scopes?.includes('issues:read') ? 'ok' : 'insufficient-scope'
}

/** Resources of a person: only their own, and views only in projects that they can see. */
function expectedOfOwn(endpoint: Endpoint, { kind, reach }: Caller, { exists }: Target): Verdict {
  if (kind === 'nobody') return 'credentials-required'
  if (kind !== 'person') return 'insufficient-scope'
  const about = aboutOf(endpoint)
  if (about === 'own thing' && !exists.thing) return 'not-found'
  if (about === 'project' && (!exists.project || reach === 'other')) return 'not-found'
  return letIn(endpoint)
}

/** What concerns all projects: in the example, the person who is invited gets access to all. */
const OF_ALL_PROJECTS: readonly string[] = [
  'createProject',
  'listInstanceKeys',
  'invitePerson',
  'getServerStatus',
]

/** "These endpoints accept only a person's session", and only an admin's. No one can grant a right that they do not hold. */
function expectedOfSettings(endpoint: Endpoint, { kind, role, reach }: Caller, { exists }: Target): Verdict {
  if (kind === 'nobody') return 'credentials-required'
  if (role !== 'admin') return 'insufficient-scope'
  if (OF_ALL_PROJECTS.includes(endpoint.name)) return reach === 'all' ? 'ok' : 'insufficient-scope'
  const about = aboutOf(endpoint)
  // The log is filtered by the project, which may have been deleted.
  if (about === 'nothing' || endpoint.name === 'listAuditLog') return letIn(endpoint)
  const isThere = about === 'thing' ? exists.thing : exists.project
  return isThere && reach !== 'other' ? letIn(endpoint) : 'not-found'
}

function letIn({ name }: Endpoint): Verdict {
  return LET_IN[name] ?? 'ok'
}

function isFromElsewhere({ method }: Endpoint, { headers }: Caller): boolean {
  return method !== 'GET' && headers?.['sec-fetch-site'] === 'cross-site'
}

/** "`POST /v1/issues` never looks at cookies", and neither do other endpoints that pages of other origins may call. */
function asSeenBy({ crossOrigin }: Endpoint, caller: Caller): Caller {
  return crossOrigin && caller.kind === 'person' ? { kind: 'nobody', makeKey: caller.makeKey } : caller
}
