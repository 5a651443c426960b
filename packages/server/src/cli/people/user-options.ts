import { ALL_ROLES, MAX_USER_NAME_CHARS, MAX_USER_PROJECTS, type Role } from '@bugle/contract'
import { isEmail, normaliseEmail } from '../../domain/people/users.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { UserChange, UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Input, UsageError } from '../command.ts'
import { findProjectOrFail } from '../projects/projects.ts'

/** The person that the options describe, without their projects. */
export function readNewUser(input: Input): Pick<UserRecord, 'email' | 'name' | 'role' | 'canSeeSecurity'> {
  return {
    email: readEmail(input.text('email') ?? ''),
    name: readName(input.text('name') ?? ''),
    role: readRole(input.text('role') ?? ''),
    canSeeSecurity: input.isSet('security'),
  }
}

/** The changes to a person, without their projects. */
export function readUserChange(input: Input): UserChange {
  const [email, name, role] = ['email', 'name', 'role'].map((option) => input.text(option))
  const [security, noSecurity] = [input.isSet('security'), input.isSet('no-security')]
  if (security && noSecurity) throw new UsageError('--security and --no-security cannot be combined')
  if (input.isSet('all-projects') && namesProjects(input))
    throw new UsageError('--project and --all-projects cannot be combined')
  const change = {
    ...(email !== undefined && { email: readEmail(email) }),
    ...(name !== undefined && { name: readName(name) }),
    ...(role !== undefined && { role: readRole(role) }),
    ...((security || noSecurity) && { canSeeSecurity: security }),
    ...(input.isSet('all-projects') && { projectIds: null }),
  }
  if (Object.keys(change).length === 0 && !namesProjects(input))
    throw new UsageError('nothing to change; see "bugle user update --help"')
  return change
}

export function namesProjects(input: Input): boolean {
  return input.texts('project').length > 0
}

/** The given projects; `null`, which means all, if there are none. */
export async function findProjects(storage: Storage, input: Input): Promise<readonly ProjectId[] | null> {
  if (!namesProjects(input)) return null
  const slugs = new Set(input.texts('project'))
  if (slugs.size > MAX_USER_PROJECTS)
    throw new UsageError(`a person can be limited to at most ${MAX_USER_PROJECTS} projects`)
  const projects = await Promise.all([...slugs].map((slug) => findProjectOrFail(storage, slug)))
  return [...new Set(projects.map(({ id }) => id))]
}

function readEmail(text: string): string {
  const email = normaliseEmail(text)
  if (!isEmail(email))
    throw new UsageError(`"${text}" is not an email address; write it like ada@example.com`)
  return email
}

function readName(text: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > MAX_USER_NAME_CHARS)
    throw new UsageError(`--name must have 1 to ${MAX_USER_NAME_CHARS} characters`)
  return name
}

function readRole(text: string): Role {
  const role = ALL_ROLES.find((known) => known === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${ALL_ROLES.join(', ')}`)
  return role
}
