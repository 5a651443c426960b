import { ALL_SCOPES, type KeyKind, type Scope } from '@bugle/contract'
import { type App, createApp } from '../src/app.ts'
import { type Clock, systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { mintKey } from '../src/domain/keys.ts'
import { makeProject } from '../src/domain/projects.ts'
import type { ProjectRecord } from '../src/storage/records/projects.ts'
import { type Answer, createCaller, type Send } from './call-api.ts'
import { temporaryDatabase } from './temporary-database.ts'

/** A real app on a real port, with a database of its own. Everything it answers is checked against the contract. */
export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  /** Sends a request. The key is a token; without one the request is anonymous. */
  readonly send: Send
  addProject(wish?: Partial<Omit<ProjectRecord, 'id'>>): Promise<TestProject>
  addKey(wish: KeyWish): Promise<string>
}

/** A project with a key of each kind. */
export interface TestProject extends ProjectRecord {
  readonly publicKey: string
  readonly secretKey: string
}

interface KeyWish {
  readonly project?: ProjectRecord
  readonly kind?: KeyKind
  readonly scopes?: readonly Scope[]
  readonly origins?: readonly string[]
}

interface Options {
  readonly databaseUrl?: string
  readonly clock?: Clock
  /** How long a receiver of a webhook has to answer. */
  readonly webhookTimeoutMs?: number
  readonly environment?: Readonly<Record<string, string>>
}

export async function startApp({
  databaseUrl,
  clock = systemClock,
  webhookTimeoutMs,
  environment,
}: Options = {}): Promise<TestApp> {
  const isOnPostgres = process.env['BUGLE_TEST_DATABASE'] === 'postgres'
  const ownDatabase = databaseUrl === undefined && isOnPostgres ? await temporaryDatabase() : undefined
  const config = readConfig({
    BUGLE_DATABASE_URL: databaseUrl ?? ownDatabase?.url ?? 'sqlite::memory:',
    BUGLE_PORT: '0',
    BUGLE_LOG_LEVEL: 'fatal',
    BUGLE_RATE_LIMITS: 'off',
    ...environment,
  })
  const app = await createApp(config, {
    clock,
    ...(webhookTimeoutMs !== undefined && { webhookTimeoutMs }),
  })
  const url = await app.start()
  let projects = 0

  async function addKey({
    project,
    kind = 'secret',
    scopes = ALL_SCOPES,
    origins = [],
  }: KeyWish): Promise<string> {
    const { token, key } = mintKey({
      projectId: project?.id ?? null,
      kind,
      name: null,
      scopes: kind === 'public' ? [] : scopes,
      origins,
      createdAt: clock(),
    })
    await app.storage.keys.create(key)
    return token
  }

  return {
    app,
    url,
    send: createCaller(url),
    addKey,
    async addProject(wish = {}) {
      const slug = `project-${++projects}`
      const defaults = { name: slug, slug, isPublic: false, defaultBranch: 'main', createdAt: clock() }
      const project = makeProject({ ...defaults, ...wish })
      await app.storage.projects.create(project)
      const publicKey = await addKey({ project, kind: 'public' })
      const secretKey = await addKey({ project })
      return { ...project, publicKey, secretKey }
    },
    async [Symbol.asyncDispose]() {
      await app.stop()
      await ownDatabase?.[Symbol.asyncDispose]()
    },
  }
}

export type { Answer, Send }
