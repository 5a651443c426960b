import { ALL_SCOPES } from '@bugle/contract'
import type { Storage } from '../storage/storage.ts'
import { mintKey } from './keys.ts'
import { makeProject } from './projects.ts'

/** Makes the project `demo` with a key of each kind, if there is no project at all. */
export async function setUpDemo(storage: Storage, now: number) {
  const projects = await storage.projects.list()
  if (projects.length > 0) return undefined
  const project = makeProject({
    name: 'Demo',
    slug: 'demo',
    isPublic: false,
    defaultBranch: 'main',
    createdAt: now,
  })
  // Another node may have been quicker: then the demo is its to announce.
  if ((await storage.projects.create(project)) === 'slug-taken') return undefined
  const shared = { projectId: project.id, name: 'first start', origins: [], createdAt: now }
  const publicKey = mintKey({ ...shared, kind: 'public', scopes: [] })
  const secretKey = mintKey({ ...shared, kind: 'secret', scopes: ALL_SCOPES })
  await storage.keys.create(publicKey.key)
  await storage.keys.create(secretKey.key)
  return { publicToken: publicKey.token, secretToken: secretKey.token }
}
