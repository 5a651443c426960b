import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ALL_SCOPES,
  CSRF_HEADER,
  MAX_COMMENT_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_KNOWN_ISSUES,
  MAX_KNOWN_TITLE_CHARS,
  MAX_MY_REPORTS,
  MAX_WEBHOOKS,
  type Scope,
} from '@bugle/contract'
import { Pool } from 'undici'
import type { BenchDatabase, Dataset } from '../../bench/datasets.ts'
import { type BenchServer, startBugle } from '../../bench/servers.ts'
import { mintLink } from '../../packages/server/src/domain/people/one-time-links.ts'
import { mintKey } from '../../packages/server/src/domain/projects/keys.ts'
import { makeProject } from '../../packages/server/src/domain/projects/projects.ts'
import { makeWebhook } from '../../packages/server/src/domain/webhooks/webhooks.ts'
import { mintId, projectNumberOf, type WebhookId } from '../../packages/server/src/model/ids.ts'
import type { ProjectRecord } from '../../packages/server/src/model/projects.ts'
import { normaliseSubmission } from '../../packages/server/src/model/reports/reports.ts'
import { openStorageForCommand } from '../../packages/server/src/storage/open-storage.ts'
import type { Storage } from '../../packages/server/src/storage/storage.ts'
import { makeSession } from '../../packages/server/test-support/make-session.ts'
import { plainReport } from '../../packages/server/test-support/plain-reports.ts'
import { CHINESE } from './bodies.ts'

/** Of a reporter who has as many reports as are listed. */
export const REPORTER_SECRET = 'c'.repeat(43)
export const METRICS_TOKEN = 'cost-of-every-request'

/** The number of concurrent requests while a world is filled. */
const FILLING_CONNECTIONS = 128
const RETRY_MS = 500
const WEBHOOK_EVENTS = 200
const LONG_COMMENTS = 200
const KNOWN_ISSUES = MAX_KNOWN_ISSUES
const TINY_ISSUES = 10
/** For lists of all projects. */
const SMALL_PROJECTS = 100

/** The amounts of data, in addition to the issues of the data set. */
export interface Extent {
  /** Reports of each noisy issue. */
  readonly noisyReports: number
  /** The number of noisy issues: each is used up by a request. */
  readonly noisyIssues: number
  /** Pending deliveries of each webhook, of which there is the maximum number. */
  readonly pendingDeliveries: number
}

/** A server with a large and a small project, and what requests need to know about them. */
export interface World extends AsyncDisposable {
  readonly server: BenchServer
  readonly dataset: Dataset
  /** Sees everything in the large project except the security lane, as most callers do. */
  readonly blindKey: string
  readonly sightedKey: string
  readonly publicKey: string
  /** A public key of the small project. */
  readonly besideKey: string
  /** Reads a project that has only a few issues. */
  readonly tinyKey: string
  /** Reads a project with the maximum number of webhooks, each with many pending deliveries. */
  readonly hookedKey: string
  readonly person: { readonly headers: Readonly<Record<string, string>>; readonly email: string }
  readonly linkToken: string
  /** The issue with the longest possible text. */
  readonly longIssue: string
  readonly longIssueNumber: number
  /** The issue that one reporter has reported many times, with many long replies. */
  readonly followedIssue: string
  readonly webhookId: string
  /** A permitted destination for webhooks. */
  readonly receiverUrl: string
  /** An issue with many reports that no request has used before. */
  takeNoisyIssue(): string
  /** How many of them are left. */
  countNoisyIssues(): number
  /** The same one each time, for requests that do not change it. */
  readonly noisyIssue: string
  /** One issue of the data set after the other. */
  takeIssue(): string
}

export async function buildWorld(database: BenchDatabase, dataset: Dataset, extent: Extent): Promise<World> {
  const storage = await openStorageForCommand(database.url)
  const large = await storage.projects.find(dataset.slug)
  if (large === undefined) throw new Error(`the data set has no project ${dataset.slug}`)
  const small = await addProject(storage, 'beside')
  const blindKey = await addKey(
    storage,
    large,
    ALL_SCOPES.filter((scope) => scope !== 'security:read'),
  )
  const besideKey = await addKey(storage, small)
  const tinyKey = await addTinyProject(storage)
  for (let number = 0; number < SMALL_PROJECTS; number++)
    await submitMany(storage, await addProject(storage, `small-${number}`), 2)
  const hookedKey = await addHookedProject(storage, extent.pendingDeliveries)
  const session = makeSession({ email: 'ada@example.com' }, Date.now())
  await storage.users.create(session.user)
  await storage.signIns.create(session.signIn, null)
  const { token: linkToken, link } = mintLink(session.user.id, Date.now())
  await storage.users.createLink(link)
  await storage.close()

  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const server = await startBugle(database.url, [], {
    BUGLE_METRICS_TOKEN: METRICS_TOKEN,
    BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
  })
  const filled = await fill(server.url, dataset, { ...extent, blindKey, receiverUrl })

  let taken = 0
  const noisy = [...filled.noisyIssues]
  const noisyIssue = noisy[0] ?? ''
  return {
    server,
    dataset,
    blindKey,
    sightedKey: dataset.secretToken,
    publicKey: dataset.publicToken,
    besideKey,
    tinyKey,
    hookedKey,
    person: {
      email: session.user.email,
      headers: { cookie: session.cookie, [CSRF_HEADER.toLowerCase()]: '1' },
    },
    linkToken,
    longIssue: filled.longIssue,
    longIssueNumber: filled.longIssueNumber,
    followedIssue: filled.followedIssue,
    webhookId: filled.webhookId,
    receiverUrl,
    noisyIssue,
    takeNoisyIssue() {
      const issue = noisy.length > 1 ? noisy.pop() : undefined
      if (issue === undefined) throw new Error('all noisy issues are used up')
      return issue
    },
    countNoisyIssues: () => noisy.length - 1,
    takeIssue: () => dataset.issueIds[taken++ % dataset.issueIds.length] ?? '',
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

interface Filling extends Extent {
  readonly blindKey: string
  readonly receiverUrl: string
}

interface Posted {
  readonly id: string
  /** The number, if it is an issue. */
  readonly issueNumber: number
}

async function fill(
  url: string,
  dataset: Dataset,
  { noisyReports, noisyIssues, blindKey, receiverUrl }: Filling,
) {
  const pool = new Pool(url, { connections: FILLING_CONNECTIONS })

  async function send(method: 'POST' | 'PATCH', path: string, key: string, body: object): Promise<Posted> {
    const answer = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    // On a slow machine, so many requests may wait too long for each other.
    if (answer.statusCode === 503) return sleep(RETRY_MS).then(() => send(method, path, key, body))
    if (answer.statusCode > 201) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as Posted
  }
  const post = (path: string, key: string, body: object) => send('POST', path, key, body)
  const submit = (body: object) => post('/v1/issues', dataset.publicToken, body)

  const noisy: string[] = []
  for (let issue = 0; issue < noisyIssues; issue++) {
    const report = (n: number) => ({
      title: `Noisy crash ${issue}`,
      fingerprint: `noisy-${issue}`,
      submissionId: `noisy-${issue}-${n}`,
      appVersion: `3.${n % 50}`,
      platform: 'android',
    })
    noisy.push((await submit(report(0))).id)
    await inParallel(noisyReports - 1, (n) => submit(report(n + 1)))
  }
  const { id: longIssue, issueNumber: longIssueNumber } = await submit({
    title: 'The longest text there can be',
    description: distinctWords(MAX_DESCRIPTION_CHARS),
  })
  await inParallel(LONG_COMMENTS, (n) =>
    post(`/v1/issues/${longIssue}/comments`, blindKey, {
      commentId: `long-${n}`,
      text: distinctWords(MAX_COMMENT_CHARS),
    }),
  )
  const followed = {
    title: 'A reporter waits for a fix',
    fingerprint: 'followed',
    reporterKeyHash: hash('sha256', REPORTER_SECRET),
  }
  const { id: followedIssue } = await submit(followed)
  await inParallel(MAX_MY_REPORTS, () => submit(followed))
  await inParallel(LONG_COMMENTS, (n) =>
    post(`/v1/issues/${followedIssue}/comments`, blindKey, {
      commentId: `reply-${n}`,
      text: distinctWords(MAX_COMMENT_CHARS),
      audience: 'reporters',
    }),
  )
  await inParallel(KNOWN_ISSUES, async (n) => {
    const { id } = await submit({ title: `Known ${n}` })
    const title = n % 2 === 0 ? distinctWords(MAX_KNOWN_TITLE_CHARS) : CHINESE.slice(0, MAX_KNOWN_TITLE_CHARS)
    await send('PATCH', `/v1/issues/${id}`, blindKey, { known: { title, text: 'Wait.' } })
  })
  const { id: webhookId } = await post('/v1/webhooks', blindKey, { url: receiverUrl })
  await inParallel(WEBHOOK_EVENTS, (n) => submit({ title: `For the webhook ${n}` }))
  await pool.close()
  return { noisyIssues: noisy, longIssue, longIssueNumber, followedIssue, webhookId }
}

async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: FILLING_CONNECTIONS }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** As many different words as fit into a text of this length. */
export function distinctWords(chars: number): string {
  let text = ''
  for (let n = 46_656; text.length < chars; n++) text += `${n.toString(36)} `
  return text.slice(0, chars)
}

async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const about = { slug, name: slug, isPublic: false, defaultBranch: 'main', createdAt: Date.now() }
  const project = makeProject(about)
  await storage.projects.create(project)
  return project
}

async function addTinyProject(storage: Storage): Promise<string> {
  const project = await addProject(storage, 'tiny')
  await submitMany(storage, project, TINY_ISSUES)
  return addKey(storage, project, ['issues:read'])
}

/** Its webhooks are paused, so that deliveries stay pending. */
async function addHookedProject(storage: Storage, pendingDeliveries: number): Promise<string> {
  const project = await addProject(storage, 'hooked')
  const { webhooks, deliveries } = storage
  const createdAt = Date.now()
  const made: WebhookId[] = []
  for (let number = 0; number < MAX_WEBHOOKS; number++) {
    const fields = { url: 'https://receiver.example/', secret: 'whsec_cost', createdAt }
    const webhook = makeWebhook(project, fields)
    await webhooks.create(webhook)
    made.push(webhook.id)
  }
  await submitMany(storage, project, pendingDeliveries)
  for (const webhookId of made) {
    while (await deliveries.fanOut(project.id, webhookId, createdAt));
    const command = { projectId: project.id, webhookId, lanes: ['open'] as const }
    await webhooks.change({ ...command, patch: { status: 'paused' }, actor: null, at: createdAt })
  }
  return addKey(storage, project, ['webhooks:manage'])
}

async function submitMany(storage: Storage, project: ProjectRecord, count: number): Promise<void> {
  const report = (n: number) => ({
    ...plainReport(project),
    issueId: mintId('iss', Date.now(), projectNumberOf(project.id)),
    content: normaliseSubmission({ title: `The settings screen stays blank ${n}` }),
  })
  await Promise.all(Array.from({ length: count }, (_, n) => storage.issues.submit(report(n))))
}

async function addKey(storage: Storage, project: ProjectRecord, scopes?: readonly Scope[]): Promise<string> {
  const { token, key } = mintKey({
    projectId: project.id,
    kind: scopes === undefined ? 'public' : 'secret',
    name: null,
    scopes: scopes ?? [],
    origins: [],
    createdAt: Date.now(),
  })
  await storage.keys.create(key)
  return token
}
