import {
  endpoints,
  MAX_SHARED_VIEWS,
  MAX_VIEWS,
  type View,
  type ViewCreation,
  type ViewList,
  type ViewPatch,
  type ViewQuery,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { isId, mintUnshardedId } from '../../model/ids.ts'
import type { NamedView, UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, hasScope, requireUser, type Sight, type UserCaller } from '../access/access.ts'
import { credentialsRequired, DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'

/** The saved views of a person, and those that are shared with the people of a project. */
export interface Views {
  list(caller: Caller, query: ViewQuery): Promise<ViewList>
  create(caller: Caller, given: ViewCreation): Promise<View>
  change(caller: Caller, id: string, patch: ViewPatch): Promise<View>
  delete(caller: Caller, id: string): Promise<void>
}

interface ViewDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly finder: IssueFinder
}

export function createViews({ storage: { views }, clock, finder }: ViewDependencies): Views {
  /** A view that the caller may see: their own, or a shared one of a project that they can read. */
  async function requireView(caller: UserCaller, id: string): Promise<NamedView> {
    const view = isId('viw', id) ? await views.find(id) : undefined
    if (view === undefined) throw notFound()
    if (view.userId === caller.user.id) return view
    if (!view.isShared) throw notFound()
    const { sight } = await finder.requireProject(caller, endpoints.listIssues.access, view.projectId)
    if (!isVisible(view, caller.user, sight)) throw notFound()
    return view
  }

  return {
    async list(caller, { projectId }) {
      const { user } = requireUser(caller)
      if (projectId === undefined) {
        const own = await views.list(user.id)
        return { data: own.map((view) => showView(view, user)) }
      }
      const { project, sight } = await finder.requireProject(caller, endpoints.listIssues.access, projectId)
      const found = await views.listOfProject(user.id, project.id)
      const visible = found.filter((view) => isVisible(view, user, sight))
      return { data: visible.map((view) => showView(view, user)) }
    },

    async create(caller, { name, projectId, query, isShared = false }) {
      const { user } = requireUser(caller)
      const { project } = await finder.requireProject(caller, endpoints.listIssues.access, projectId)
      if (isShared) requireSharing(caller)
      const createdAt = clock()
      const view = {
        id: mintUnshardedId('viw', createdAt),
        userId: user.id,
        name,
        projectId: project.id,
        query,
        isShared,
        createdAt,
      }
      const outcome = await views.create(view)
      if (outcome === 'no-user') throw credentialsRequired()
      if (outcome === 'too-many') {
        throw new DomainError('limit-reached', { detail: `A person can have ${MAX_VIEWS} saved views.` })
      }
      if (outcome !== 'created') throw notShared(outcome)
      return showView({ ...view, ownerName: user.name }, user)
    },

    async change(caller, id, patch) {
      const person = requireUser(caller)
      const view = await requireView(person, id)
      if (view.userId !== person.user.id) throw notOwner()
      if (patch.isShared ?? view.isShared) {
        await finder.requireProject(caller, endpoints.listIssues.access, view.projectId)
        requireSharing(caller)
      }
      const outcome = await views.update(person.user.id, view.id, patch)
      if (outcome === 'missing') throw notFound()
      if (outcome !== 'updated') throw notShared(outcome)
      return showView({ ...view, ...patch }, person.user)
    },

    async delete(caller, id) {
      const person = requireUser(caller)
      const view = await requireView(person, id)
      const isOwn = view.userId === person.user.id
      if (!isOwn && !hasScope(caller, 'issues:delete')) throw notOwner()
      const outcome = await (isOwn ? views.delete(person.user.id, view.id) : views.deleteShared(view.id))
      if (outcome === 'missing') throw notFound()
    },
  }
}

/**
 * The name and the search words of a view of security issues may describe a vulnerability, so it is shared only with
 * people who see these issues.
 */
function isVisible({ userId, query }: NamedView, user: UserRecord, { lanes }: Sight): boolean {
  if (userId === user.id) return true
  const categories = new URLSearchParams(query).getAll('category').flatMap((value) => value.split(','))
  return !categories.includes('security') || lanes.includes('security')
}

function requireSharing(caller: Caller): void {
  if (hasScope(caller, 'issues:triage')) return
  throw new DomainError('insufficient-scope', {
    detail: 'Sharing a view with the project needs a role that may change issues.',
  })
}

function notShared(outcome: 'too-many-shared' | 'no-project'): DomainError {
  if (outcome === 'no-project') return notFound()
  return new DomainError('limit-reached', {
    detail: `A project can have ${MAX_SHARED_VIEWS} shared views.`,
  })
}

function notOwner(): DomainError {
  return new DomainError('not-author', { detail: 'Only the person who saved a view may change it.' })
}

function showView(
  { id, name, projectId, query, isShared, userId, ownerName, createdAt }: NamedView,
  user: UserRecord,
): View {
  const isOwn = userId === user.id
  return { id, name, projectId, query, isShared, isOwn, ownerName, createdAt: isoTime(createdAt) }
}
