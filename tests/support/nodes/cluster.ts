import { ALL_SCOPES } from '@bugle/contract'
import { mintKey } from '../../../packages/server/src/domain/projects/keys.ts'
import { makeProject } from '../../../packages/server/src/domain/projects/projects.ts'
import type { ProjectRecord } from '../../../packages/server/src/model/projects.ts'
import { openPostgresStorage } from '../../../packages/server/src/storage/postgres/postgres-storage.ts'
import { freePort } from '../../../packages/server/test-support/free-port.ts'
import { type PostgresServer, startPostgres } from '../../../packages/server/test-support/start-postgres.ts'
import type { Exit } from '../start-process.ts'
import { startServer, type TestServer } from '../start-server.ts'

/** Several servers in separate processes, on one PostgreSQL that can be stopped and started. */
export interface Cluster extends AsyncDisposable {
  readonly postgres: PostgresServer
  readonly nodes: readonly Node[]
}

export interface Node {
  /** Always the same: a proxy in front of the nodes knows their ports. */
  readonly url: string
  readonly printed: string
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit>
  restart(): Promise<void>
}

/** A project with a key that may do everything. */
export interface KeyedProject extends ProjectRecord {
  readonly key: string
}

/** Starts all nodes at once, on a new database or on a given one, which may have several hosts. */
export async function startCluster(
  count: number,
  settings: Readonly<Record<string, string>>,
  given?: { readonly postgres: PostgresServer; readonly url: string },
): Promise<Cluster> {
  const postgres = given?.postgres ?? (await startPostgres())
  const url = given?.url ?? postgres.url
  const startNode = async () => {
    const ownSettings = { ...settings, BUGLE_DATABASE_URL: url, BUGLE_PORT: String(await freePort()) }
    const start = () => startServer('', ownSettings)
    return nodeOf(await start(), start)
  }
  const nodes = await Promise.all(Array.from({ length: count }, startNode))
  return {
    postgres,
    nodes,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
      await postgres.stop()
    },
  }
}

function nodeOf(first: TestServer, startNode: () => Promise<TestServer>): Node & AsyncDisposable {
  let server = first
  return {
    get url() {
      return server.url
    },
    get printed() {
      return server.stdout
    },
    end: (signal) => server.end(signal),
    async restart() {
      server = await startNode()
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Creates projects like the command, while the nodes are running. */
export async function addProjects(
  { postgres }: Cluster,
  slugs: readonly string[],
): Promise<readonly KeyedProject[]> {
  const storage = await openPostgresStorage(postgres.url)
  const added = slugs.map((slug) => {
    const createdAt = Date.now()
    const project = makeProject({ slug, name: slug, isPublic: false, defaultBranch: 'main', createdAt })
    const shared = { projectId: project.id, name: null, origins: [], createdAt }
    return { project, ...mintKey({ ...shared, kind: 'secret', scopes: ALL_SCOPES }) }
  })
  for (const { project, key } of added) {
    await storage.projects.create(project)
    await storage.keys.create(key)
  }
  await storage.close()
  return added.map(({ project, token }) => ({ ...project, key: token }))
}

/** Revokes the keys of a project like the command. */
export async function revokeKeys({ postgres }: Cluster, { id }: KeyedProject): Promise<void> {
  const storage = await openPostgresStorage(postgres.url)
  for (const key of await storage.keys.list(id)) await storage.keys.revoke(key.id, Date.now())
  await storage.close()
}
