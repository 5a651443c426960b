import { type Access, endpoints } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { ANONYMOUS, type Caller, judgeAccess } from './access.ts'
import { mintKey } from './keys.ts'
import { makeProject } from './projects.ts'

const closed = makeProject({ name: 'a', slug: 'a', isPublic: false, defaultBranch: 'main', createdAt: 0 })
const open = { ...closed, isPublic: true }
const other = makeProject({ ...closed, slug: 'b' })
const openOther = { ...other, isPublic: true }

const keyed = (wish: Partial<Parameters<typeof mintKey>[0]>): Caller => ({
  kind: 'key',
  key: mintKey({
    projectId: closed.id,
    kind: 'secret',
    name: null,
    scopes: [],
    origins: [],
    createdAt: 0,
    ...wish,
  }).key,
})
const callers = {
  nobody: ANONYMOUS,
  'public key': keyed({ kind: 'public' }),
  'key without scopes': keyed({}),
  reader: keyed({ scopes: ['issues:read'] }),
  'security reader': keyed({ scopes: ['issues:read', 'security:read'] }),
  'instance reader': keyed({ projectId: null, scopes: ['issues:read'] }),
}

const sight = { public: 'open, redacted', team: 'open', full: 'open+security' }

describe('the access rule', () => {
  const read = endpoints.retrieveIssue.access
  const submit = endpoints.submitIssue.access
  const any = endpoints.getProject.access

  it.each<[keyof typeof callers, string, Access, typeof closed | undefined, string]>([
    ['nobody', 'reads a private project', read, closed, 'credentials-required'],
    ['nobody', 'reads a missing project', read, undefined, 'credentials-required'],
    ['nobody', 'reads a public project', read, open, sight.public],
    ['nobody', 'submits to a public project', submit, open, 'credentials-required'],
    ['public key', 'submits', submit, closed, sight.team],
    ['public key', 'reads', read, closed, 'insufficient-scope'],
    ['public key', 'reads its public project', read, open, sight.public],
    ['public key', 'reads what is missing', read, undefined, 'insufficient-scope'],
    ['public key', 'gets its project', any, closed, sight.team],
    ['public key', 'gets another project', any, other, 'not-found'],
    ['key without scopes', 'reads', read, closed, 'insufficient-scope'],
    ['key without scopes', 'submits', submit, closed, 'insufficient-scope'],
    ['key without scopes', 'gets its project', any, closed, sight.team],
    ['reader', 'reads', read, closed, sight.team],
    ['reader', 'reads another project', read, other, 'not-found'],
    ['reader', 'reads another project, a public one', read, openOther, 'not-found'],
    ['reader', 'reads what is missing', read, undefined, 'not-found'],
    ['reader', 'submits', submit, closed, 'insufficient-scope'],
    ['security reader', 'reads', read, closed, sight.full],
    ['security reader', 'reads another project', read, other, 'not-found'],
    ['instance reader', 'reads any project', read, other, sight.team],
    ['instance reader', 'reads what is missing', read, undefined, 'not-found'],
  ])('%s %s', (name, _, access, project, expected) => {
    const verdict = judgeAccess(callers[name], access, project)
    const shown =
      typeof verdict === 'string'
        ? verdict
        : `${verdict.lanes.join('+')}${verdict.seesPrivateMembers ? '' : ', redacted'}`
    expect(shown).toBe(expected)
  })
})
