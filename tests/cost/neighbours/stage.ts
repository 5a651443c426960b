import { setTimeout as sleep } from 'node:timers/promises'
import { ALL_SCOPES } from '@bugle/contract'
import { Pool } from 'undici'
import type { BenchDatabase, Dataset } from '../../../bench/datasets.ts'
import { startBugle } from '../../../bench/servers.ts'
import { mintKey } from '../../../packages/server/src/domain/projects/keys.ts'
import { makeProject } from '../../../packages/server/src/domain/projects/projects.ts'
import { projectNumberOf } from '../../../packages/server/src/model/ids.ts'
import type { ProjectRecord } from '../../../packages/server/src/model/projects.ts'
import { openStorageForCommand } from '../../../packages/server/src/storage/open-storage.ts'
import type { Storage } from '../../../packages/server/src/storage/storage.ts'
import { isCut } from '../../support/load.ts'
import { REUSED_WITHIN_MS, startVictim, type Victim } from './victim.ts'

const CONNECTIONS = 256
/** Counts of what was not kept are stored every second. */
const COUNTED_AFTER_MS = 2_000
const METRICS_TOKEN = 'a-token-for-the-metrics-of-neighbours'
const HELD_CHECK_MS = 100
const MAX_HELD_CHECKS = 600

/** A server without rate limits, a neighbour with many issues, and a victim with a project of its own. */
export interface Stage extends AsyncDisposable {
  readonly url: string
  readonly victim: Victim
  /** What the victim sent and the server accepted, but did not keep, such as files that were omitted. */
  countDropped(): Promise<number>
  /** Waits for a gauge of the server; fails if the neighbour cannot take as much. */
  waitUntilHeld(gauge: string, amount: number): Promise<void>
  readonly neighbour: Neighbour
}

export interface Neighbour {
  readonly first: Sender
  /** Another project in the same hands. */
  readonly second: Sender
  readonly secretKey: string
  request(options: NeighbourRequest): Promise<{ readonly status: number; readonly body: string }>
}

export interface Sender {
  readonly projectNumber: number
  readonly publicKey: string
}

export interface NeighbourRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly key?: string
  readonly body?: object
}

export async function buildStage(database: BenchDatabase, dataset: Dataset): Promise<Stage> {
  const storage = await openStorageForCommand(database.url)
  const own = await addProject(storage, 'victim')
  const second = await addProject(storage, 'second')
  await storage.close()
  const server = await startBugle(database.url, [], { BUGLE_METRICS_TOKEN: METRICS_TOKEN })
  const victim = await startVictim({ url: server.url, key: own.publicKey, projectNumber: own.projectNumber })
  const pool = new Pool(server.url, {
    connections: CONNECTIONS,
    // It is the neighbour who waits, however long.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: REUSED_WITHIN_MS,
  })

  async function request({ method = 'GET', path, key = dataset.secretToken, body }: NeighbourRequest) {
    try {
      const answer = await pool.request({
        method,
        path,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      // The server may disconnect a neighbour, who then tries again.
      if (isCut(error)) return { status: 503, body: '' }
      throw error
    }
  }

  return {
    url: server.url,
    victim,
    async countDropped() {
      await sleep(COUNTED_AFTER_MS)
      const { body } = await request({ path: '/v1/projects/victim/stats', key: own.secretKey })
      const skipped: Record<string, number> = JSON.parse(body).intake.skipped
      return Object.values(skipped).reduce((sum, count) => sum + count, 0)
    },
    async waitUntilHeld(gauge, amount) {
      for (let check = 0; check < MAX_HELD_CHECKS; check++) {
        const { body } = await request({ path: '/metrics', key: METRICS_TOKEN })
        if (Number(new RegExp(`^${gauge} (\\d+)$`, 'm').exec(body)?.[1]) >= amount) return
        await sleep(HELD_CHECK_MS)
      }
      throw new Error(`the neighbour cannot hold ${amount} of ${gauge}`)
    },
    neighbour: {
      first: { projectNumber: projectNumberOf(dataset.projectId), publicKey: dataset.publicToken },
      second,
      secretKey: dataset.secretToken,
      request,
    },
    async [Symbol.asyncDispose]() {
      await victim[Symbol.asyncDispose]()
      await pool.destroy()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function addProject(storage: Storage, slug: string) {
  const about = { slug, name: slug, isPublic: false, defaultBranch: 'main', createdAt: Date.now() }
  const project = makeProject(about)
  await storage.projects.create(project)
  return {
    projectNumber: projectNumberOf(project.id),
    publicKey: await addKey(storage, project, 'public'),
    secretKey: await addKey(storage, project, 'secret'),
  }
}

async function addKey(storage: Storage, project: ProjectRecord, kind: 'public' | 'secret'): Promise<string> {
  const { token, key } = mintKey({
    projectId: project.id,
    kind,
    name: null,
    scopes: kind === 'secret' ? ALL_SCOPES : [],
    origins: [],
    createdAt: Date.now(),
  })
  await storage.keys.create(key)
  return token
}
