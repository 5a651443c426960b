import { ALL_SCOPES, type KeyKind, type Role, type Scope } from '@bugle/contract'
import type { App } from '../src/app.ts'
import { type Clock, systemClock } from '../src/clock.ts'
import { readConfig } from '../src/config.ts'
import { mintAccessToken } from '../src/domain/people/access-tokens.ts'
import { mintKey } from '../src/domain/projects/keys.ts'
import { makeProject } from '../src/domain/projects/projects.ts'
import type { Patience } from '../src/http/gates/patience.ts'
import { INTERVALS, type Intervals } from '../src/intervals.ts'
import type { AccessTokenRecord } from '../src/model/people/access-tokens.ts'
import type { HashCost } from '../src/model/people/password-hashes.ts'
import type { UserRecord } from '../src/model/people/users.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import { openApp } from '../src/open-app.ts'
import { type Answer, createCaller, type Send } from './call-api.ts'
import { makeSession } from './make-session.ts'
import { temporaryDatabase } from './temporary-database.ts'

/** Every scope but the one that shows the security lane. */
export const BLIND_SCOPES = ALL_SCOPES.filter((scope) => scope !== 'security:read')

/** A real app on a real port, with its own database. Every response is checked against the contract. */
export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly url: string
  /** Sends a request. The key is a token; without one the request is anonymous. */
  readonly send: Send
  addProject(overrides?: Partial<Omit<ProjectRecord, 'id'>>): Promise<TestProject>
  addKey(options: KeyOptions): Promise<string>
  /** Adds a person who is signed in. Resolves to the cookie of the sign-in, which `send` takes as a key. */
  addUser(options?: UserOptions): Promise<string>
  /** Adds a person with a personal access token, which `send` takes as a key. */
  addToken(options?: TokenOptions): Promise<TestToken>
}

interface TokenOptions extends UserOptions {
  readonly scopes?: readonly Scope[]
  readonly expiresAt?: number | null
}

interface TestToken {
  readonly token: string
  readonly record: AccessTokenRecord
  readonly user: UserRecord
}

/** A project with a key of each kind. */
export interface TestProject extends ProjectRecord {
  readonly publicKey: string
  readonly secretKey: string
}

interface KeyOptions {
  readonly project?: ProjectRecord
  readonly kind?: KeyKind
  readonly scopes?: readonly Scope[]
  readonly origins?: readonly string[]
}

export interface UserOptions {
  readonly email?: string
  readonly name?: string
  readonly role?: Role
  readonly canSeeSecurity?: boolean
  /** Absent: all. */
  readonly projects?: readonly ProjectRecord[]
  /** Absent: now. */
  readonly signedInAt?: number
}

interface Options {
  readonly databaseUrl?: string
  readonly clock?: Clock
  /** How long a webhook receiver has to respond. */
  readonly webhookTimeoutMs?: number
  /** How long clients may take. */
  readonly patience?: Patience
  readonly hashCost?: HashCost
  /** How often background jobs run. */
  readonly intervals?: Partial<Intervals>
  readonly environment?: Readonly<Record<string, string>>
  /** The built dashboard and SDK of another release. */
  readonly dashboardFolder?: string
  /** The destination of log lines; `BUGLE_LOG_LEVEL` says which. */
  readonly logTo?: { write(line: string): void }
}

/** HTTP tests do not depend on the strength of password hashes; tests of `domain/people` use the real cost. */
const CHEAP_HASHES: HashCost = { memory: 8, passes: 1, parallelism: 1 }
/** For tests that run the removal themselves, step by step. */
export const NO_REMOVAL = { removal: 86_400_000 } as const
/** Tests wait for background jobs. */
const QUICK_INTERVALS: Intervals = { ...INTERVALS, catalogRefresh: 50, intakeFlush: 50, nodeBeat: 100 }

export async function startApp({
  databaseUrl,
  clock = systemClock,
  webhookTimeoutMs,
  patience,
  hashCost = CHEAP_HASHES,
  intervals,
  environment,
  dashboardFolder,
  logTo,
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
  const app = await openApp(config, {
    clock,
    ...(webhookTimeoutMs !== undefined && { webhookTimeoutMs }),
    ...(patience !== undefined && { patience }),
    ...(dashboardFolder !== undefined && { dashboardFolder }),
    ...(logTo !== undefined && { logTo }),
    hashCost,
    intervals: { ...QUICK_INTERVALS, ...intervals },
  })
  const url = await app.start()
  let projects = 0
  let users = 0

  async function addKey({
    project,
    kind = 'secret',
    scopes = ALL_SCOPES,
    origins = [],
  }: KeyOptions): Promise<string> {
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
    async addUser(options = {}) {
      const session = makeSession({ email: `user-${++users}@example.com`, ...options }, clock())
      await app.storage.users.create(session.user)
      await app.storage.signIns.create(session.signIn, null)
      return session.cookie
    },
    async addToken({ scopes = ALL_SCOPES, expiresAt = null, ...options } = {}) {
      const email = `token-${++users}@example.com`
      const { user } = makeSession({ email, ...options }, clock())
      await app.storage.users.create(user)
      const given = { userId: user.id, name: 'Script', scopes, createdAt: clock(), expiresAt }
      const { token, record } = mintAccessToken(given)
      await app.storage.accessTokens.create(record)
      return { token, record, user }
    },
    async addProject(overrides = {}) {
      const slug = `project-${++projects}`
      const defaults = { name: slug, slug, isPublic: false, defaultBranch: 'main', createdAt: clock() }
      const project = makeProject({ ...defaults, ...overrides })
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
