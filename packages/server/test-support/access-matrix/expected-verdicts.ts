import type { Endpoint, ErrorCode } from '@bugle/contract'
import type { Caller } from './callers.ts'
import { aboutOf, type Target } from './targets.ts'

export type Verdict = 'ok' | ErrorCode

/** What comes of the example of the contract for whoever may call. */
const LET_IN: Readonly<Record<string, ErrorCode>> = {
  signIn: 'sign-in-failed',
  readLink: 'link-invalid',
  acceptLink: 'link-invalid',
  changePassword: 'validation-failed',
}

/** The verdict by the words of the design: section 3, the table of operations and "Keys", and section 6, "People". */
export function expectedOf(endpoint: Endpoint, sender: Caller, target: Target): Verdict {
  const { access } = endpoint
  const { home, exists } = target
  if (access === undefined) throw new Error(`say who may call ${endpoint.name}`)
  // Behind a proxy, and without a token of the operator: nobody, whatever key they have.
  if (access === 'operator') return 'credentials-required'
  if (access === null) return isFromElsewhere(endpoint, sender) ? 'csrf-header-required' : letIn(endpoint)
  const caller = asSeenBy(endpoint, sender)
  if (caller.fault !== undefined && !(caller.isFaultOfChanges && endpoint.method === 'GET'))
    return caller.fault

  const about = aboutOf(endpoint)
  if (access === 'signed-in') return expectedOfOwn(endpoint, caller, target)
  const isThere = about === 'thing' ? exists.thing : about === 'project' ? exists.project : true
  const isOpenToAnyone = access.publicProject && home === 'public' && exists.project
  // "Without a credential, what is private, hidden or missing answers the same 401."
  if (caller.kind === 'nobody') return isOpenToAnyone && isThere ? 'ok' : 'credentials-required'

  const isPermitted =
    caller.kind === 'public'
      ? access.publicKey
      : access.scope === null || caller.scopes?.includes(access.scope) === true
  // "Such a key can not submit and must name projectId."
  if (about === 'the project of the key' && caller.reach === 'all') return 'insufficient-scope'
  if (about === 'the project of the key' || about === 'nothing')
    return isPermitted ? 'ok' : 'insufficient-scope'

  // "Something of another project answers 404, in the same words as something that does not exist;
  // a good key without the scope, 403."
  const isReached = exists.project && caller.reach !== 'other'
  if (!isPermitted && !(isOpenToAnyone && isReached)) return 'insufficient-scope'
  return isReached && isThere ? 'ok' : 'not-found'
}

/** What is a person's own: theirs alone, and a view's project one that they see. */
function expectedOfOwn(endpoint: Endpoint, { kind, reach }: Caller, { exists }: Target): Verdict {
  if (kind === 'nobody') return 'credentials-required'
  if (kind !== 'person') return 'insufficient-scope'
  const about = aboutOf(endpoint)
  if (about === 'own thing' && !exists.thing) return 'not-found'
  if (about === 'project' && (!exists.project || reach === 'other')) return 'not-found'
  return letIn(endpoint)
}

function letIn({ name }: Endpoint): Verdict {
  return LET_IN[name] ?? 'ok'
}

function isFromElsewhere({ method }: Endpoint, { headers }: Caller): boolean {
  return method !== 'GET' && headers?.['sec-fetch-site'] === 'cross-site'
}

/** "`POST /v1/issues` never looks at cookies", nor does what else pages of other origins may call. */
function asSeenBy({ crossOrigin }: Endpoint, caller: Caller): Caller {
  return crossOrigin && caller.kind === 'person' ? { kind: 'nobody', makeKey: caller.makeKey } : caller
}
