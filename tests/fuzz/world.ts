import { ALL_SCOPES, KEY_PREFIXES, type KeyKind, type Scope } from '@bugle/contract'
import { mintKey } from '../../packages/server/src/domain/projects/keys.ts'
import { makeProject } from '../../packages/server/src/domain/projects/projects.ts'
import type { ProjectRecord } from '../../packages/server/src/model/projects.ts'
import { openStorageForCommand } from '../../packages/server/src/storage/open-storage.ts'
import type { Storage } from '../../packages/server/src/storage/storage.ts'
import { addPerson, type Person } from './people.ts'

/** A caller: what they send with every request. */
export interface FuzzCaller {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Signs a person in again whose session a request has ended; nothing for a key. */
  renew?(): Promise<void>
}

/** The resources and the callers. */
export interface World extends AsyncDisposable {
  /** The first may do everything in the main project. */
  readonly callers: readonly FuzzCaller[]
  readonly projects: readonly ProjectRecord[]
  /** Keys that may be in a body. */
  readonly publicKeys: readonly string[]
  readonly people: readonly Person[]
}

const PAGE = 'https://app.example'
const OTHER_PAGE = 'https://elsewhere.example'

/** Creates three projects, keys of every kind and people of every role in an existing database. */
export async function makeWorld(databaseUrl: string): Promise<World> {
  const storage = await openStorageForCommand(databaseUrl)
  const home = await addProject(storage, 'home', false)
  const open = await addProject(storage, 'open', true)
  const other = await addProject(storage, 'other', false)
  const add = (options: KeyOptions) => addKey(storage, options)
  const admin = await add({ project: home })
  const bound = await add({ project: home, kind: 'public', origins: [PAGE] })
  const keys: Record<string, string> = {
    'a key that may do everything': admin,
    'a public key': await add({ project: home, kind: 'public' }),
    'a key of the public project': await add({ project: open }),
    'a public key of the public project': await add({ project: open, kind: 'public' }),
    'a key of another project': await add({ project: other }),
    'a key for all projects': await add({}),
    'a key without scopes': await add({ project: home, scopes: [] }),
    'a revoked key': await add({ project: home, isRevoked: true }),
    'a mistyped key': `${admin.slice(0, -1)}!`,
    'something else': 'x',
  }
  for (const scope of ALL_SCOPES) {
    keys[`a key with ${scope}`] = await add({ project: home, scopes: [scope] })
    keys[`a key without ${scope}`] = await add({
      project: home,
      scopes: ALL_SCOPES.filter((one) => one !== scope),
    })
  }
  const people = await Promise.all([
    addPerson(storage, { role: 'admin', canSeeSecurity: true }),
    addPerson(storage, { role: 'admin', canSeeSecurity: false }),
    addPerson(storage, { role: 'triager', canSeeSecurity: false }),
    addPerson(storage, { role: 'viewer', canSeeSecurity: true, projects: [home, open] }),
    addPerson(storage, { role: 'viewer', canSeeSecurity: false, projects: [other] }),
  ])
  return {
    projects: [home, open, other],
    people,
    publicKeys: [bound, admin, ...Object.values(keys).filter((key) => key.startsWith(KEY_PREFIXES.public))],
    callers: [
      ...Object.entries(keys).map(([name, key]) => ({ name, headers: bearer(key) })),
      { name: 'nobody', headers: {} },
      { name: 'a public key on its page', headers: { ...bearer(bound), origin: PAGE } },
      { name: 'a public key on another page', headers: { ...bearer(bound), origin: OTHER_PAGE } },
      { name: 'a secret key on a page', headers: { ...bearer(admin), origin: PAGE } },
      { name: 'another scheme', headers: { authorization: 'Basic eDp4' } },
      ...people,
    ],
    [Symbol.asyncDispose]: () => storage.close(),
  }
}

async function addProject(storage: Storage, slug: string, isPublic: boolean): Promise<ProjectRecord> {
  const project = makeProject({ slug, name: slug, isPublic, defaultBranch: 'main', createdAt: Date.now() })
  await storage.projects.create(project)
  return project
}

interface KeyOptions {
  readonly project?: ProjectRecord
  readonly kind?: KeyKind
  readonly scopes?: readonly Scope[]
  readonly origins?: readonly string[]
  readonly isRevoked?: boolean
}

async function addKey(storage: Storage, options: KeyOptions): Promise<string> {
  const { project, kind = 'secret', scopes = ALL_SCOPES, origins = [], isRevoked = false } = options
  const { token, key } = mintKey({
    projectId: project?.id ?? null,
    kind,
    name: null,
    scopes: kind === 'public' ? [] : scopes,
    origins,
    createdAt: Date.now(),
  })
  await storage.keys.create(key)
  if (isRevoked) await storage.keys.revoke(key.id, Date.now())
  return token
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}
