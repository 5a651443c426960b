import { type CursorQuery, DEFAULT_PAGE_SIZE } from '@bugle/contract'
import type {
  AccessTokenList,
  Invitation,
  InvitedPerson,
  PersonLink,
  PersonPatch,
  PersonSettings,
  PersonSettingsPage,
} from '@bugle/contract/settings'
import { isId, type ProjectId, type UserId } from '../../model/ids.ts'
import { revisionOfUser, type UserChange, type UserRecord } from '../../model/people/users.ts'
import type { LastOfTheirKind } from '../../storage/ports/people.ts'
import type { UserCaller } from '../access/access.ts'
import { decodeTextCursor, encodeTextCursor, invalidCursor } from '../cursors.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import { showAccessToken } from '../people/access-tokens.ts'
import { addressOfLink, mintLink } from '../people/one-time-links.ts'
import { makeUser, normaliseEmail } from '../people/users.ts'
import { isWithin, requireGrantable, requireSameRights, revisionConflict } from './admins.ts'
import type { AdministrationDependencies } from './projects.ts'

/** People in the settings. An admin of some projects sees and changes the people of these projects. */
export interface PeopleAdministration {
  list(admin: UserCaller, query: CursorQuery): Promise<PersonSettingsPage>
  /** `baseUrl` is the address of the server, for the link. */
  invite(admin: UserCaller, given: Invitation, baseUrl: string): Promise<InvitedPerson>
  update(admin: UserCaller, id: string, patch: PersonPatch): Promise<PersonSettings>
  createLink(admin: UserCaller, id: string, baseUrl: string): Promise<PersonLink>
  remove(admin: UserCaller, id: string): Promise<void>
  listTokens(admin: UserCaller, id: string): Promise<AccessTokenList>
  revokeToken(admin: UserCaller, id: string, tokenId: string): Promise<void>
}

const LIST = ['people']
const LIST_STEP = 200

export function createPeopleAdministration({
  storage,
  clock,
  refresh,
}: AdministrationDependencies): PeopleAdministration {
  const usersOf = ({ user }: UserCaller) => storage.actingAs(user.id, clock).users

  async function requirePerson(admin: UserCaller, id: string): Promise<UserRecord> {
    const person = isId('usr', id) ? await storage.users.find(id) : undefined
    if (person === undefined || !isVisible(admin, person)) throw notFound()
    return person
  }

  /** One more than the page has, if there is one. */
  async function listVisible(admin: UserCaller, from: UserId | null, limit: number): Promise<UserRecord[]> {
    const visible: UserRecord[] = []
    for (let after = from; visible.length < limit; ) {
      const some = await storage.users.list(after, LIST_STEP)
      visible.push(...some.filter((person) => isVisible(admin, person)))
      const last = some.at(-1)
      if (last === undefined || some.length < LIST_STEP) break
      after = last.id
    }
    return visible.slice(0, limit)
  }

  async function addLink(admin: UserCaller, { id }: UserRecord, baseUrl: string): Promise<PersonLink> {
    const { token, link } = mintLink(id, clock())
    if ((await usersOf(admin).createLink(link)) === 'no-user') throw notFound()
    return { link: addressOfLink(baseUrl, token), linkExpiresAt: isoTime(link.expiresAt) }
  }

  /** To an admin of some projects, the others are unknown. */
  async function checkProjects(
    { user }: UserCaller,
    projectIds: readonly string[] | null,
  ): Promise<readonly ProjectId[] | null> {
    if (projectIds === null) return null
    const wanted = [...new Set(projectIds)].filter((id): id is ProjectId => isId('prj', id))
    const found = await Promise.all(
      wanted.map((id) => (isWithin(user, [id]) ? storage.projects.find(id) : undefined)),
    )
    if (wanted.length < new Set(projectIds).size || found.includes(undefined))
      throw badMember('projectIds', 'unknown', 'projectIds must be ids of projects.')
    if (wanted.length === 0)
      throw badMember('projectIds', 'required', 'projectIds must have a project, or be null for all.')
    return wanted
  }

  return {
    async list(admin, query) {
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const found = await listVisible(admin, query.cursor ? placeIn(query.cursor) : null, pageSize + 1)
      const shown = found.slice(0, pageSize)
      const last = found.length > pageSize ? shown.at(-1) : undefined
      return {
        data: shown.map(showPerson),
        pagination: {
          page: null,
          pageSize,
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : encodeTextCursor(LIST, last.id),
          totalCount: null,
        },
      }
    },

    async invite(admin, given, baseUrl) {
      const projectIds = await checkProjects(admin, given.projectIds ?? null)
      const { role, canSeeSecurity = false } = given
      requireGrantable(admin, { canSeeSecurity, projectIds })
      const name = given.name.trim()
      const person = makeUser({
        email: given.email,
        name,
        role,
        canSeeSecurity,
        projectIds,
        createdAt: clock(),
      })
      if ((await usersOf(admin).create(person)) === 'email-taken') throw emailTaken()
      return { person: showPerson(person), ...(await addLink(admin, person, baseUrl)) }
    },

    async update(admin, id, { revision, ...patch }) {
      const person = await requirePerson(admin, id)
      const change = await readChange(patch, (ids) => checkProjects(admin, ids))
      requireGrantable(admin, { ...person, ...change }, person)
      if (takesOver(person, change)) requireSameRights(admin, person)
      const outcome = await usersOf(admin).update(person.id, change, revision)
      if (outcome === 'missing') throw notFound()
      if (outcome === 'email-taken') throw emailTaken()
      if (outcome === 'last-admin' || outcome === 'last-security-holder') throw LAST[outcome]()
      if (outcome === 'stale') throw revisionConflict()
      await refresh()
      return showPerson({ ...person, ...change })
    },

    async createLink(admin, id, baseUrl) {
      const person = await requirePerson(admin, id)
      requireSameRights(admin, person)
      return addLink(admin, person, baseUrl)
    },

    async remove(admin, id) {
      const person = await requirePerson(admin, id)
      requireSameRights(admin, person)
      const outcome = await usersOf(admin).delete(person.id)
      if (outcome === 'missing') throw notFound()
      if (outcome !== 'deleted') throw LAST[outcome]()
      await refresh()
    },

    async listTokens(admin, id) {
      const tokens = await storage.accessTokens.list((await requirePerson(admin, id)).id)
      return { data: tokens.map(showAccessToken) }
    },

    async revokeToken(admin, id, tokenId) {
      const person = await requirePerson(admin, id)
      const owned = isId('pat', tokenId) ? await storage.accessTokens.find(tokenId) : undefined
      if (owned?.user.id !== person.id) throw notFound()
      const outcome = await storage.actingAs(admin.user.id, clock).accessTokens.revoke(owned.token.id)
      if (outcome === 'missing') throw notFound()
      await refresh()
    },
  }
}

/** Anyone who can read that mailbox could sign in. The right can also be taken away one project at a time. */
function takesOver(person: UserRecord, change: UserChange): boolean {
  const { email, canSeeSecurity, projectIds } = { ...person, ...change }
  const losesRight = !canSeeSecurity || !isWithin({ projectIds }, person.projectIds)
  return email !== person.email || (person.canSeeSecurity && losesRight)
}

/** Themselves, and everyone whose projects the admin has access to. */
function isVisible({ user }: UserCaller, person: UserRecord): boolean {
  return person.id === user.id || isWithin(user, person.projectIds)
}

async function readChange(
  { email, name, role, canSeeSecurity, projectIds }: Omit<PersonPatch, 'revision'>,
  checkProjects: (ids: readonly string[] | null) => Promise<readonly ProjectId[] | null>,
): Promise<UserChange> {
  return {
    ...(email !== undefined && { email: normaliseEmail(email) }),
    ...(name !== undefined && { name: name.trim() }),
    ...(role !== undefined && { role }),
    ...(canSeeSecurity !== undefined && { canSeeSecurity }),
    ...(projectIds !== undefined && { projectIds: await checkProjects(projectIds) }),
  }
}

function placeIn(cursor: string): UserId {
  const id = decodeTextCursor(LIST, cursor)
  if (!isId('usr', id)) throw invalidCursor()
  return id
}

function emailTaken(): DomainError {
  return badMember('email', 'taken', 'email belongs to another person.')
}

const LAST = {
  'last-admin': () =>
    new DomainError('last-admin', {
      detail: 'This is the only admin. Make another person an admin first.',
    }),
  'last-security-holder': () =>
    new DomainError('last-security-holder', {
      detail:
        'This is the only person who sees security issues. Give another person access to security issues first.',
    }),
} as const satisfies Record<LastOfTheirKind, () => DomainError>

function showPerson(person: UserRecord): PersonSettings {
  const { id, email, name, role, canSeeSecurity, projectIds, passwordHash, createdAt } = person
  return {
    ...{ id, email, name, role, canSeeSecurity },
    projectIds: projectIds && [...projectIds],
    hasPassword: passwordHash !== null,
    createdAt: isoTime(createdAt),
    revision: revisionOfUser(person),
  }
}
