import { ALL_SCOPES, type KeyKind } from '@bugle/contract'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { mintKey } from './keys.ts'
import { makeProject } from './projects.ts'

/** Creates the project `demo` with a key of each kind, if there are no projects. */
export async function setUpDemo(storage: Storage, now: number): Promise<DemoProject | undefined> {
  const [existing] = await storage.projects.list(null, 1)
  // Another node may be faster; then that node announces the demo.
  return existing === undefined ? makeDemoProject(storage, { slug: 'demo', createdAt: now }) : undefined
}

/** A project for trying things out; only a hash of the secret token is stored. */
export interface DemoProject {
  readonly project: ProjectRecord
  readonly publicToken: string
  readonly secretToken: string
}

interface DemoOptions {
  readonly slug: string
  readonly createdAt: number
  readonly keyNames?: Readonly<Record<KeyKind, string>>
}

const FIRST_KEYS = { public: 'first start', secret: 'first start' }

/** Creates a project with a key of each kind, unless the slug is taken. */
export async function makeDemoProject(
  storage: Storage,
  { slug, createdAt, keyNames = FIRST_KEYS }: DemoOptions,
): Promise<DemoProject | undefined> {
  const name = slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')
  const project = makeProject({ name, slug, isPublic: false, defaultBranch: 'main', createdAt })
  if ((await storage.projects.create(project)) === 'slug-taken') return undefined
  const shared = { projectId: project.id, origins: [], createdAt }
  const publicKey = mintKey({ ...shared, kind: 'public', name: keyNames.public, scopes: [] })
  const secretKey = mintKey({ ...shared, kind: 'secret', name: keyNames.secret, scopes: ALL_SCOPES })
  await storage.keys.create(publicKey.key)
  await storage.keys.create(secretKey.key)
  return { project, publicToken: publicKey.token, secretToken: secretKey.token }
}
