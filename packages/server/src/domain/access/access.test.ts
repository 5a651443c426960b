import { type Access, endpoints } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { makeUser } from '../people/users.ts'
import { mintKey } from '../projects/keys.ts'
import { makeProject } from '../projects/projects.ts'
import { ANONYMOUS, type Caller, judgeAccess } from './access.ts'

const closed = makeProject({ name: 'a', slug: 'a', isPublic: false, defaultBranch: 'main', createdAt: 0 })
const open = { ...closed, isPublic: true }
const other = makeProject({ ...closed, slug: 'b' })
const openOther = { ...other, isPublic: true }

const keyed = (overrides: Partial<Parameters<typeof mintKey>[0]>): Caller => ({
  kind: 'key',
  key: mintKey({
    projectId: closed.id,
    kind: 'secret',
    name: null,
    scopes: [],
    origins: [],
    createdAt: 0,
    ...overrides,
  }).key,
})
const person = (overrides: Partial<Parameters<typeof makeUser>[0]>): Caller => {
  const rights = { role: 'viewer', canSeeSecurity: false, projectIds: null } as const
  const user = makeUser({ email: 'a@example.com', name: 'A', ...rights, createdAt: 0, ...overrides })
  const signIn = { userId: user.id, hash: new Uint8Array(), userAgent: null, createdAt: 0, lastSeenAt: 0 }
  return { kind: 'user', user, signIn: { id: 'sgn_', ...signIn } }
}
const callers = {
  nobody: ANONYMOUS,
  'public key': keyed({ kind: 'public' }),
  'key without scopes': keyed({}),
  reader: keyed({ scopes: ['issues:read'] }),
  'security reader': keyed({ scopes: ['issues:read', 'security:read'] }),
  'instance reader': keyed({ projectId: null, scopes: ['issues:read'] }),
  viewer: person({}),
  triager: person({ role: 'triager' }),
  admin: person({ role: 'admin', canSeeSecurity: true }),
  'viewer with the right security': person({ canSeeSecurity: true }),
  'admin of the project': person({ role: 'admin', projectIds: [other.id, closed.id] }),
  'admin of no project': person({ role: 'admin', projectIds: [] }),
}

const sight = { public: 'open, redacted', team: 'open', full: 'open+security' }

describe('the access rule', () => {
  const read = endpoints.retrieveIssue.access
  const submit = endpoints.submitIssue.access
  const any = endpoints.getProject.access
  const change = endpoints.changeIssue.access
  const remove = endpoints.deleteIssue.access
  const manage = endpoints.listWebhooks.access

  it.each<[keyof typeof callers, string, Access, typeof closed | undefined, string]>([
    ['nobody', 'reads a private project', read, closed, 'credentials-required'],
    ['nobody', 'reads a missing project', read, undefined, 'credentials-required'],
    ['nobody', 'reads a public project', read, open, sight.public],
    ['nobody', 'submits to a public project', submit, open, 'credentials-required'],
    ['public key', 'submits', submit, closed, sight.team],
    ['public key', 'reads', read, closed, 'insufficient-scope'],
    ['public key', 'reads its public project', read, open, sight.public],
    ['public key', 'reads a missing project', read, undefined, 'insufficient-scope'],
    ['public key', 'gets its project', any, closed, sight.team],
    ['public key', 'gets another project', any, other, 'not-found'],
    ['key without scopes', 'reads', read, closed, 'insufficient-scope'],
    ['key without scopes', 'submits', submit, closed, 'insufficient-scope'],
    ['key without scopes', 'gets its project', any, closed, sight.team],
    ['reader', 'reads', read, closed, sight.team],
    ['reader', 'reads another project', read, other, 'not-found'],
    ['reader', 'reads another project, a public one', read, openOther, 'not-found'],
    ['reader', 'reads a missing project', read, undefined, 'not-found'],
    ['reader', 'submits', submit, closed, 'insufficient-scope'],
    ['security reader', 'reads', read, closed, sight.full],
    ['security reader', 'reads another project', read, other, 'not-found'],
    ['instance reader', 'reads any project', read, other, sight.team],
    ['instance reader', 'reads a missing project', read, undefined, 'not-found'],
    ['viewer', 'reads', read, closed, sight.team],
    ['viewer', 'reads a missing project', read, undefined, 'not-found'],
    ['viewer', 'changes', change, closed, 'insufficient-scope'],
    ['viewer', 'changes in a public project', change, open, 'insufficient-scope'],
    ['viewer', 'gets a project', any, closed, sight.team],
    ['viewer', 'submits', submit, closed, 'insufficient-scope'],
    ['viewer with the right security', 'reads', read, closed, sight.full],
    ['viewer with the right security', 'changes', change, closed, 'insufficient-scope'],
    ['triager', 'changes', change, closed, sight.team],
    ['triager', 'deletes', remove, closed, 'insufficient-scope'],
    ['triager', 'manages webhooks', manage, closed, 'insufficient-scope'],
    ['admin', 'deletes', remove, closed, sight.full],
    ['admin', 'manages webhooks', manage, closed, sight.full],
    ['admin', 'submits', submit, closed, 'insufficient-scope'],
    ['admin of the project', 'deletes', remove, closed, sight.team],
    ['admin of no project', 'reads', read, closed, 'not-found'],
    ['admin of no project', 'reads a public project', read, open, 'not-found'],
  ])('%s %s', (name, _, access, project, expected) => {
    const verdict = judgeAccess(callers[name], access, project)
    const shown =
      typeof verdict === 'string'
        ? verdict
        : `${verdict.lanes.join('+')}${verdict.seesPrivateMembers ? '' : ', redacted'}`
    expect(shown).toBe(expected)
  })
})
