import type { ProjectId } from '../../model/ids.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { type Caller, requireUser, type UserCaller } from '../access/access.ts'
import { DomainError, notFound } from '../domain-error.ts'

/** Only for admins who are signed in. */
export function requireAdmin(caller: Caller): UserCaller {
  const person = requireUser(caller)
  if (person.user.role === 'admin') return person
  throw new DomainError('insufficient-scope', { detail: 'Only admins can use the settings.' })
}

/** Not found, not forbidden: an admin of some projects does not learn which others exist. */
export function requireOwnProject({ user }: UserCaller, project: ProjectRecord | undefined): ProjectRecord {
  if (project === undefined || !isWithin(user, [project.id])) throw notFound()
  return project
}

/** For what concerns all projects. */
export function requireAllProjects({ user }: UserCaller): void {
  if (user.projectIds === null) return
  throw new DomainError('insufficient-scope', { detail: 'Only an admin of all projects can do this.' })
}

export type Rights = Pick<UserRecord, 'canSeeSecurity' | 'projectIds'>

/**
 * No one can grant a right that they do not hold. What the person already has need not be granted; in another project, it is
 * granted again.
 */
export function requireGrantable({ user }: UserCaller, granted: Rights, before?: Rights): void {
  const sawIt = before?.canSeeSecurity === true && isWithin(before, granted.projectIds)
  if (granted.canSeeSecurity && !sawIt && !user.canSeeSecurity) {
    throw new DomainError('insufficient-scope', {
      detail: 'Only a person who sees security issues can let others see them.',
    })
  }
  if (!isWithin(user, granted.projectIds)) {
    throw new DomainError('insufficient-scope', {
      detail: 'You can give access only to projects that you have access to.',
    })
  }
}

/** For what gives an admin the rights of a person, such as a link, or takes them from the person: the admin must have them too. */
export function requireSameRights({ user }: UserCaller, person: Rights): void {
  if (!isWithin(user, person.projectIds)) {
    throw new DomainError('insufficient-scope', {
      detail:
        'This person has access to projects that you do not have access to. Ask an admin who has access to all of them.',
    })
  }
  if (person.canSeeSecurity && !user.canSeeSecurity) {
    throw new DomainError('insufficient-scope', {
      detail:
        'This person can see security issues. Only an admin who can see them too may create a link for this person, change their email address, remove this right or remove the person.',
    })
  }
}

/** Whether the admin has access to all of these projects; `null`: to all there are. */
export function isWithin(
  { projectIds: own }: Pick<Rights, 'projectIds'>,
  projectIds: readonly ProjectId[] | null,
): boolean {
  if (own === null) return true
  return projectIds?.every((id) => own.includes(id)) ?? false
}

export function revisionConflict(): DomainError {
  return new DomainError('revision-conflict', {
    detail: 'Someone else has changed this in the meantime. Look at the new state, and try again.',
  })
}
