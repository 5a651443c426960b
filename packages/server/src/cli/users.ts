import { ALL_ROLES, ROLES } from '@bugle/contract'
import { systemClock } from '../clock.ts'
import { makeUser, normaliseEmail } from '../domain/users.ts'
import type { UserRecord } from '../model/users.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input } from './command.ts'
import { pairs, table } from './terminal/printable.ts'
import { createUserLink } from './user-links.ts'
import { findProjects, namesProjects, readNewUser, readUserChange } from './user-options.ts'

const LIST_STEP = 100
const NO_ADMIN =
  'There is no admin yet, so the setup link that the server printed still works. To make an admin here: bugle user add --role admin …, or bugle user update EMAIL --role admin.'
const SETUP_ENDED =
  'The setup link that the server printed no longer works: with this person the server has an admin.'

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
  summary: 'Let a person sign in; prints the one-time link to send them',
  positionals: [],
  options: {
    email: { type: 'string', value: 'EMAIL', isRequired: true, meaning: 'what they sign in with' },
    name: { type: 'string', value: 'NAME', isRequired: true, meaning: 'what the history calls them' },
    role: { ...ROLE, isRequired: true },
    security: { type: 'boolean', meaning: 'let them see issues of the category security' },
    project: { ...PROJECT, meaning: 'a project they may see; else all' },
  },
  async run(input, { config, withStorage }) {
    const wish = readNewUser(input)
    return withStorage(async (storage) => {
      const projectIds = await findProjects(storage, input)
      const hadAdmin = await storage.users.hasAdmin()
      const user = makeUser({ ...wish, projectIds, createdAt: systemClock() })
      if ((await storage.users.create(user)) === 'email-taken') throw emailTaken(user.email)
      const { json, text } = await createUserLink({ storage, config, user })
      const note = hadAdmin ? '' : user.role === 'admin' ? SETUP_ENDED : NO_ADMIN
      return {
        json: { ...showUser(user), ...json, note: note || null },
        text: [await describe(storage, user), text, ...(note ? [note] : [])].join('\n\n'),
      }
    })
  },
}

const list: Command = {
  name: 'user list',
  summary: 'List the people who can sign in',
  positionals: [],
  options: {},
  run: async (_, { withStorage }) =>
    withStorage(async (storage) => {
      const users = await listAll(storage)
      if (users.length === 0)
        return { json: [], text: 'Nobody can sign in yet. Add a person with "bugle user add".' }
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
      const headings = ['EMAIL', 'NAME', 'ROLE', 'SECURITY', 'PROJECTS', 'STATE']
      return { json: users.map(showUser), text: table(headings, rows) }
    }),
}

const link: Command = {
  name: 'user link',
  summary: 'Make a new one-time link, for a forgotten password; earlier ones stop working',
  positionals: ['EMAIL'],
  options: {},
  run: async (input, { config, withStorage }) =>
    withStorage(async (storage) =>
      createUserLink({ storage, config, user: await requireUser(storage, input) }),
    ),
}

const update: Command = {
  name: 'user update',
  summary: 'Change what a person may do; a running server follows within a second',
  positionals: ['EMAIL'],
  options: {
    email: { type: 'string', value: 'EMAIL', meaning: 'new e-mail address' },
    name: { type: 'string', value: 'NAME', meaning: 'new name' },
    role: ROLE,
    security: { type: 'boolean', meaning: 'let them see issues of the category security' },
    'no-security': { type: 'boolean', meaning: 'hide issues of the category security from them' },
    project: { ...PROJECT, meaning: 'a project they may see, in place of those until now' },
    'all-projects': { type: 'boolean', meaning: 'let them see all projects' },
  },
  async run(input, { withStorage }) {
    const wish = readUserChange(input)
    return withStorage(async (storage) => {
      const user = await requireUser(storage, input)
      const projectIds = await findProjects(storage, input)
      const change = { ...wish, ...(namesProjects(input) && { projectIds }) }
      const outcome = await storage.users.update(user.id, change)
      if (outcome === 'email-taken') throw emailTaken(change.email ?? '')
      if (outcome === 'last-admin') throw lastAdmin(user.email)
      const changed = { ...user, ...change }
      return { json: showUser(changed), text: await describe(storage, changed) }
    })
  },
}

const remove: Command = {
  name: 'user remove',
  summary: 'Sign a person out for good, within a second; what they did stays in the history',
  positionals: ['EMAIL'],
  options: {},
  run: async (input, { withStorage }) =>
    withStorage(async (storage) => {
      const { id, email } = await requireUser(storage, input)
      if ((await storage.users.delete(id)) === 'last-admin') throw lastAdmin(email)
      return { json: { id, email }, text: `Removed ${email}.` }
    }),
}

export const userCommands: readonly Command[] = [add, list, link, update, remove]

async function requireUser(
  { users }: Storage,
  { positionals: [idOrEmail = ''] }: Input,
): Promise<UserRecord> {
  const user = await users.find(normaliseEmail(idOrEmail))
  if (user === undefined)
    throw new CommandError(`nobody has the e-mail address "${idOrEmail}"; "bugle user list" shows everyone`)
  return user
}

async function listAll({ users }: Storage): Promise<readonly UserRecord[]> {
  const all: UserRecord[] = []
  for (;;) {
    const more = await users.list(all.at(-1)?.id ?? null, LIST_STEP)
    all.push(...more)
    if (more.length < LIST_STEP) return all
  }
}

function emailTaken(email: string): CommandError {
  return new CommandError(`somebody else has the e-mail address "${email}"; "bugle user list" shows everyone`)
}

function lastAdmin(email: string): CommandError {
  return new CommandError(
    `${email} is the only admin. Make another person an admin first: bugle user update EMAIL --role admin`,
  )
}

function showUser({ passwordHash, createdAt, ...user }: UserRecord) {
  return { ...user, hasPassword: passwordHash !== null, createdAt: new Date(createdAt).toISOString() }
}

async function describe(storage: Storage, user: UserRecord): Promise<string> {
  return pairs([
    ['id', user.id],
    ['email', user.email],
    ['name', user.name],
    ['role', user.role],
    ['security', user.canSeeSecurity ? 'yes' : 'no'],
    ['projects', await projectsOf(storage, user)],
  ])
}

async function projectsOf({ projects }: Storage, { projectIds }: UserRecord): Promise<string> {
  if (projectIds === null) return 'all'
  const found = await Promise.all(projectIds.map((id) => projects.find(id)))
  return found.flatMap((project) => project?.slug ?? []).join(' ') || 'none'
}

function stateOf({ passwordHash }: UserRecord): string {
  return passwordHash === null ? 'link not used yet' : 'has a password'
}
