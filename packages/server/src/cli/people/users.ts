import { ALL_ROLES, ROLES } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { makeUser, normaliseEmail } from '../../domain/people/users.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Command, CommandError, type Input } from '../command.ts'
import { type Column, pairs, type Screen, table } from '../terminal/tables.ts'
import { createUserLink } from './user-links.ts'
import { findProjects, namesProjects, readNewUser, readUserChange } from './user-options.ts'

const LIST_STEP = 100
const NO_ADMIN =
  'There is no admin yet, so the setup link that the server printed still works. Or add one here: "bugle user add --role admin …" or "bugle user update EMAIL --role admin".'
const SETUP_ENDED = 'The setup link that the server printed no longer works, because there is an admin now.'

const ROLE = {
  type: 'string',
  value: 'ROLE',
  meaning: ALL_ROLES.map((role) => `${role} (${ROLES[role]})`).join('; '),
} as const
const PROJECT = {
  type: 'string',
  value: 'SLUG',
  multiple: true,
} as const

const add: Command = {
  name: 'user add',
  summary: 'Add a person; prints the one-time link to send them',
  positionals: [],
  options: {
    email: { type: 'string', value: 'EMAIL', isRequired: true, meaning: 'the address they sign in with' },
    name: { type: 'string', value: 'NAME', isRequired: true, meaning: 'their name, as shown in the history' },
    role: { ...ROLE, isRequired: true },
    security: { type: 'boolean', meaning: 'let them see issues of the category security' },
    project: { ...PROJECT, meaning: 'limit them to this project' },
  },
  async run(input, { config, withStorage, terminal }) {
    const given = readNewUser(input)
    return withStorage(async (storage) => {
      const projectIds = await findProjects(storage, input)
      const hadAdmin = await storage.users.hasAdmin()
      const user = makeUser({ ...given, projectIds, createdAt: systemClock() })
      if ((await storage.users.create(user)) === 'email-taken') throw emailTaken(user.email)
      const { json, text } = await createUserLink({ storage, config, user })
      const note = hadAdmin ? '' : user.role === 'admin' ? SETUP_ENDED : NO_ADMIN
      return {
        json: { ...showUser(user), ...json, note: note || null },
        text: [await describe(storage, user, terminal), text, ...(note ? [note] : [])].join('\n\n'),
      }
    })
  },
}

const list: Command = {
  name: 'user list',
  summary: 'List the people who can sign in',
  positionals: [],
  options: {},
  run: async (_, { withStorage, terminal }) =>
    withStorage(async (storage) => {
      const users = await listAll(storage)
      if (users.length === 0) return { json: [], text: 'No users yet. Add one with "bugle user add".' }
      const rows = await Promise.all(
        users.map(async (user) => [
          user.email,
          user.name,
          user.role,
          user.canSeeSecurity ? 'yes' : 'no',
          await projectsOf(storage, user),
          stateOf(user),
        ]),
      )
      return { json: users.map(showUser), text: table(COLUMNS, rows, terminal) }
    }),
}

const COLUMNS: readonly (string | Column)[] = [
  'EMAIL',
  { heading: 'NAME', overflow: 'cut', leaveOut: 1 },
  'ROLE',
  { heading: 'SECURITY', leaveOut: 2 },
  { heading: 'PROJECTS', overflow: 'wrap' },
  { heading: 'STATE', paint: (state, { good, warning }) => (state === 'active' ? good : warning)(state) },
]

const link: Command = {
  name: 'user link',
  summary: 'Create a new one-time link, for a forgotten password; earlier links stop working',
  positionals: ['EMAIL'],
  options: {},
  run: async (input, { config, withStorage }) =>
    withStorage(async (storage) =>
      createUserLink({ storage, config, user: await requireUser(storage, input) }),
    ),
}

const update: Command = {
  name: 'user update',
  summary: 'Change a person; a running server applies it within a second',
  positionals: ['EMAIL'],
  options: {
    email: { type: 'string', value: 'EMAIL', meaning: 'new email address' },
    name: { type: 'string', value: 'NAME', meaning: 'new name' },
    role: ROLE,
    security: { type: 'boolean', meaning: 'let them see issues of the category security' },
    'no-security': { type: 'boolean', meaning: 'hide issues of the category security from them' },
    project: { ...PROJECT, meaning: 'limit them to this project, replacing the earlier ones' },
    'all-projects': { type: 'boolean', meaning: 'let them see all projects' },
  },
  async run(input, { withStorage, terminal }) {
    const given = readUserChange(input)
    return withStorage(async (storage) => {
      const user = await requireUser(storage, input)
      const projectIds = await findProjects(storage, input)
      const change = { ...given, ...(namesProjects(input) && { projectIds }) }
      const outcome = await storage.users.update(user.id, change)
      if (outcome === 'email-taken') throw emailTaken(change.email ?? '')
      if (outcome === 'last-admin') throw lastAdmin(user.email)
      if (outcome === 'last-security-holder') throw lastSecurityHolder(user.email)
      const changed = { ...user, ...change }
      return { json: showUser(changed), text: await describe(storage, changed, terminal) }
    })
  },
}

const remove: Command = {
  name: 'user remove',
  summary: 'Remove a person; they are signed out within a second, and stay in the history',
  positionals: ['EMAIL'],
  options: {},
  run: async (input, { withStorage }) =>
    withStorage(async (storage) => {
      const { id, email } = await requireUser(storage, input)
      const outcome = await storage.users.delete(id)
      if (outcome === 'last-admin') throw lastAdmin(email)
      if (outcome === 'last-security-holder') throw lastSecurityHolder(email)
      return { json: { id, email }, text: `Removed ${email}.` }
    }),
}

export const userCommands: readonly Command[] = [add, list, link, update, remove]

async function requireUser(storage: Storage, { positionals: [idOrEmail = ''] }: Input): Promise<UserRecord> {
  return findUserOrFail(storage, idOrEmail)
}

export async function findUserOrFail({ users }: Storage, idOrEmail: string): Promise<UserRecord> {
  const user = await users.find(normaliseEmail(idOrEmail))
  if (user === undefined)
    throw new CommandError(`no user has the email address "${idOrEmail}"; "bugle user list" shows them all`)
  return user
}

export async function listAll({ users }: Storage): Promise<readonly UserRecord[]> {
  const all: UserRecord[] = []
  for (;;) {
    const more = await users.list(all.at(-1)?.id ?? null, LIST_STEP)
    all.push(...more)
    if (more.length < LIST_STEP) return all
  }
}

function emailTaken(email: string): CommandError {
  return new CommandError(`another user already has the email address "${email}"`)
}

function lastAdmin(email: string): CommandError {
  return new CommandError(
    `${email} is the only admin. Make another person an admin first: bugle user update EMAIL --role admin`,
  )
}

function lastSecurityHolder(email: string): CommandError {
  return new CommandError(
    `${email} is the only person who sees security issues. Give another person access to security issues first: bugle user update EMAIL --security`,
  )
}

function showUser({ passwordHash, createdAt, ...user }: UserRecord) {
  return { ...user, hasPassword: passwordHash !== null, createdAt: new Date(createdAt).toISOString() }
}

async function describe(storage: Storage, user: UserRecord, screen: Screen): Promise<string> {
  return pairs(
    [
      ['id', user.id],
      ['email', user.email],
      ['name', user.name],
      ['role', user.role],
      ['security', user.canSeeSecurity ? 'yes' : 'no'],
      ['projects', await projectsOf(storage, user)],
    ],
    screen,
  )
}

async function projectsOf({ projects }: Storage, { projectIds }: UserRecord): Promise<string> {
  if (projectIds === null) return 'all'
  const found = await Promise.all(projectIds.map((id) => projects.find(id)))
  return found.flatMap((project) => project?.slug ?? []).join(' ') || 'none'
}

function stateOf({ passwordHash }: UserRecord): string {
  return passwordHash === null ? 'invited' : 'active'
}
