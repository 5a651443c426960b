import { Readable } from 'node:stream'
import { ALL_SCOPES } from '@bugle/contract'
import { planDemo } from '../src/demo/plan.ts'
import { playDemo } from '../src/demo/play.ts'
import { mintKey } from '../src/domain/projects/keys.ts'
import { makeProject } from '../src/domain/projects/projects.ts'
import { makeWebhook } from '../src/domain/webhooks/webhooks.ts'
import type { CommentCommand } from '../src/model/comments/comments.ts'
import { storeExceptions } from '../src/model/crashes/report-exceptions.ts'
import type { Actor } from '../src/model/events.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewAttachment } from '../src/model/reports/attachments.ts'
import type { NewReport } from '../src/model/reports/reports.ts'
import { normaliseSubmission, reportIdOf } from '../src/model/reports/reports.ts'
import type { AttemptResult } from '../src/model/webhooks.ts'
import { type FileStore, mintFileName } from '../src/storage/files/file-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { sha256Of } from './attachment-stage.ts'

export const NOW = Date.UTC(2026, 10, 15)
const DAY = 86_400_000
const LANES = ['open', 'security'] as const

const REFUSED: AttemptResult = {
  status: 500,
  error: 'unsuccessful-status',
  durationMs: 12,
  response: 'no, «thanks» \u2028',
  retryAfterSeconds: null,
}

export interface TransferStory {
  readonly weather: ProjectRecord
  readonly maps: ProjectRecord
  /** A report that was submitted with an id. */
  readonly named: NewReport
  /** The first of several reports of an issue. */
  readonly grouped: NewReport
}

/** An issue of whose reports one was deleted and one was redacted. */
async function removeSomeReports(storage: Storage, project: ProjectRecord, actor: Actor): Promise<void> {
  const reports = ['First', 'Deleted', 'Redacted', 'Later'].map((title, index) => {
    const report = reportOf(project, actor, title, { id: `removed-${index}`, contentHash: '08'.repeat(16) })
    const reporter = REPORTERS[index % 2] ?? null
    return { ...report, content: { ...report.content, fingerprint: 'removed', appVersion: '3.1', reporter } }
  })
  const [first] = reports
  if (first === undefined) return
  for (const report of reports.slice(0, 3)) await storage.issues.submit(report)
  const order = { projectId: project.id, issueId: first.issueId, lanes: LANES, actor, at: NOW }
  await storage.issues.deleteReport({ ...order, reportNumber: 2 })
  await storage.issues.redactReport({ ...order, reportNumber: 3 })
  // Its number differs from the number of reports.
  for (const report of reports.slice(3)) await storage.issues.submit(report)
}

const REPORTERS = [
  { id: '4711', name: 'Ada “A.” 漢字', email: 'Ada@example.com' },
  { id: null, name: null, email: 'Bob@Example.com' },
  // Each becomes two characters in lower case.
  { id: null, name: null, email: 'İ'.repeat(254) },
  { id: '4711', name: null, email: null },
  { id: null, name: 'Someone', email: null },
]

/** By the title of the report. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Blank page': storeExceptions([{ type: 'TypeError' }]),
  'A pink flamingo': storeExceptions([
    {
      type: 'ValueError',
      value: '漢字',
      mechanism: { type: 'onerror', handled: false },
      frames: [
        {
          function: 'zahle “ü”',
          file: 'a.py',
          module: 'shop',
          line: 3,
          column: 7,
          inApp: true,
          context: { before: ['# one', '# two'], line: 'raise', after: [''] },
        },
        {},
      ],
    },
    { type: 'Cause', stack: '    at a (/app/a.js:1:2)' },
  ]),
}

/** Reports of one issue with different texts, one of them twice. */
async function reportTogether(storage: Storage, project: ProjectRecord, actor: Actor): Promise<NewReport> {
  const reports = [
    'Blank page',
    'A pink flamingo',
    'Blank page',
    'A pink flamingo',
    'Nothing “at all” 漢字',
  ].map((title, index) => {
    const report = reportOf(project, actor, title)
    const metadata = index % 2 === 0 ? null : { place: `Zürich ${index}`, free: 1.5, isPro: false }
    const context = index % 2 === 0 ? { page: 'https://app.example/漢字', width: 390, isOnline: false } : null
    const reporter = REPORTERS[index] ?? null
    const reporterKeyHash = index % 2 === 0 ? REPORTER_KEY_HASH : null
    const own = { fingerprint: 'together', metadata, context, reporter, reporterKeyHash }
    const exception = EXCEPTIONS[title]
    return {
      ...report,
      content: { ...report.content, ...own },
      ...(exception !== undefined && { exception }),
    }
  })
  for (const report of reports) await storage.issues.submit(report)
  return reports[0] as NewReport
}

/** Reports of one issue with files: a large one, one that two reports have, an empty one, and one that has not arrived. */
async function reportWithFiles(storage: Storage, project: ProjectRecord, files: FileStore): Promise<void> {
  const large = Buffer.alloc(500_000, 'A large file. ')
  const shared = Buffer.from('In two reports.')
  const sent = [
    { submissionId: 'files-1', contents: [large, shared] },
    { submissionId: 'files-2', contents: [shared, Buffer.alloc(0)] },
    { submissionId: 'files-3', contents: [Buffer.from('Never sent.')] },
  ]
  for (const { submissionId, contents } of sent) {
    const report = reportOf(project, null, 'With files', {
      id: submissionId,
      contentHash: '09'.repeat(16),
    })
    const attachments = contents.map((bytes, index) =>
      attachmentOf(project, bytes, `Schirm ${index} 漢字.png`),
    )
    const content = { ...report.content, fingerprint: 'files' }
    await storage.issues.submit({ ...report, content, attachments })
  }
  for (const { submissionId, contents } of sent.slice(0, 2))
    for (const bytes of contents)
      await receiveFile(storage, { project, place: { submissionId }, bytes, files })
  const bytes = Buffer.from('Of a comment.')
  await commentWithFile(storage, project, bytes)
  const place = { issueNumber: 1, commentId: 'with-file' }
  await receiveFile(storage, { project, place, bytes, files })
}

/** A comment on the first issue that has a file. */
async function commentWithFile(storage: Storage, project: ProjectRecord, bytes: Buffer): Promise<void> {
  const issue = await storage.issues.findByNumber(project.id, 1)
  if (issue === undefined) throw new Error('there is no issue')
  await storage.comments.create({
    ...{
      projectId: project.id,
      issueId: issue.id,
      commentId: 'with-file',
      lanes: LANES,
      actor: null,
      at: NOW,
    },
    ...{ text: 'See the picture', audience: 'team', mentioned: [] },
    attachments: [attachmentOf(project, bytes, 'Bild.png')],
  })
}

function attachmentOf(project: ProjectRecord, bytes: Buffer, name: string): NewAttachment {
  return {
    id: mintId('att', NOW, projectNumberOf(project.id)),
    name,
    declaredType: 'image/png',
    size: bytes.length,
    sha256: sha256Of(bytes),
  }
}

interface Received {
  readonly project: ProjectRecord
  readonly place:
    | { readonly submissionId: string }
    | { readonly issueNumber: number; readonly commentId: string }
  readonly bytes: Buffer
  readonly files: FileStore
}

async function receiveFile(storage: Storage, { project, place, bytes, files }: Received): Promise<void> {
  const file = mintFileName(project.id)
  const sha256 = sha256Of(bytes)
  await files.put({ name: file, size: bytes.length, sha256 }, Readable.from([bytes]))
  await storage.attachments.receive({
    ...{ projectId: project.id, ...place, sha256, actor: null, at: NOW, maxProjectBytes: 1e9 },
    stored: { file, contentType: bytes.length > 100 ? 'image/png' : null },
  })
}

/** Fills an empty database with records of every kind; with files if their store is passed. */
export async function tellTransferStory(storage: Storage, files?: FileStore): Promise<TransferStory> {
  const weather = await addProject(storage, 'weather')
  const maps = await addProject(storage, 'maps')
  await storage.projects.update(weather.id, { isPublic: true })
  const key = await addKeys(storage, weather)
  await addPeople(storage, weather)

  const webhook = await storage.webhooks.create(
    makeWebhook(weather, {
      url: 'https://a.example/?q=ü',
      secret: 'whsec_a',
      createdAt: NOW,
      includeSecurity: true,
    }),
  )
  if (typeof webhook === 'string') throw new Error(`the webhook was not created: ${webhook}`)
  const order = { projectId: weather.id, webhookId: webhook.id, lanes: LANES }
  await playDemo({
    storage,
    project: weather,
    steps: planDemo({ count: 40, days: 30, seed: 7, now: NOW }),
  })

  const named = reportOf(weather, key.id, 'Ünïcode “quotes” \\ \u2028 漢字 👩‍🚀', {
    id: 'sub-1',
    contentHash: '07'.repeat(16),
  })
  await storage.issues.submit(named)
  const security = reportOf(weather, null, 'Token in the log')
  await storage.issues.submit({ ...security, content: { ...security.content, category: 'security' } })
  await storage.issues.submit({ ...reportOf(weather, key.id, 'Buy now'), isSpam: true, sender: 'a' })
  const grouped = await reportTogether(storage, weather, key.id)
  await removeSomeReports(storage, weather, key.id)
  const gone = reportOf(weather, key.id, 'Gone')
  await storage.issues.submit(gone)
  const change = { projectId: weather.id, lanes: LANES, actor: key.id, at: NOW }
  await storage.issues.change({
    ...change,
    issueId: named.issueId,
    ifVersions: null,
    patch: { status: 'resolved', fixedIn: { appVersion: '2.0', buildNumber: null }, note: 'Fixed.\nReally.' },
  })
  await storage.issues.change({
    ...change,
    issueId: grouped.issueId,
    ifVersions: null,
    patch: { title: 'Edited', description: null },
  })
  await storage.labels.create({ projectId: weather.id, name: 'deleted', colour: '#596273', createdAt: NOW })
  await storage.labels.create({
    projectId: weather.id,
    name: 'needs design',
    colour: '#8250df',
    createdAt: NOW,
  })
  await storage.labels.delete(weather.id, 'deleted')
  await storage.issues.change({
    ...change,
    issueId: grouped.issueId,
    ifVersions: null,
    patch: {
      labels: [2],
      assigneeId: mintUnshardedId('usr', NOW),
      known: { title: 'Bekannt: 漢字', text: 'Zeile 1\nZeile 2' },
    },
    labelNames: { 2: 'needs design' },
  })
  await storage.issues.delete({ ...change, issueId: gone.issueId })
  await writeComments(storage, { ...change, issueId: grouped.issueId })

  await storage.deliveries.fanOut(weather.id, webhook.id, NOW)
  const claims = await storage.deliveries.claimDue({ now: NOW, leaseMs: 30_000, perWebhook: 3, limit: 64 })
  for (const { event } of claims.slice(1)) {
    const attempt = { ...order, position: event.position, sentAt: NOW, now: NOW + 12, random: 0.5 }
    await storage.deliveries.recordAttempt({ ...attempt, result: REFUSED })
  }
  await storage.webhooks.rotateSecret({ ...order, secret: 'whsec_b', previousUntil: NOW + DAY, at: NOW })
  await storage.webhooks.change({ ...order, patch: { status: 'paused' }, actor: key.id, at: NOW })

  await storage.projects.saveSdkSettings(weather.id, {
    enabled: true,
    minSdkVersion: '0.2.0',
    features: { shake: true, depth: 1.5, tone: 'calm' },
    featureLimits: {
      depth: { minAppVersion: '2.4', maxAppVersion: '3', platforms: ['ios', 'web'], share: 0.25 },
    },
    crash: { enabled: true, sampleRate: 0.25 },
    refreshAfterSeconds: 3_600,
  })
  await storage.stats.addIntake(weather.id, [
    ['validation-failed', 3],
    ['limited', 2],
  ])
  while (await storage.events.expireSome(weather.id, NOW - 20 * DAY));
  await storage.issues.submit(reportOf(maps, null, 'Only one'))
  if (files !== undefined) await reportWithFiles(storage, await addProject(storage, 'photos'), files)
  return { weather: { ...weather, isPublic: true }, maps, named, grouped }
}

const REPORTER_KEY_HASH = 'ab'.repeat(32)

/** Comments of which one was edited and one was deleted, and a conversation with the first reporter. */
async function writeComments(
  { comments, myReports, senders }: Storage,
  command: Omit<CommentCommand, 'commentId'>,
): Promise<void> {
  const mentioned = [{ id: mintUnshardedId('usr', NOW), name: 'Ada', canSeeSecurity: true }]
  for (const commentId of ['kept', 'edited', 'deleted'])
    await comments.create({
      ...command,
      commentId,
      text: `Ünïcode “${commentId}” \\ \u2028 漢字 @Ada`,
      audience: 'team',
      mentioned,
    })
  await comments.change({ ...command, commentId: 'edited', text: 'Edited', mentioned: [] })
  await comments.delete({ ...command, commentId: 'deleted', mayDeleteAny: false })
  const reporter = { projectId: command.projectId, keyHash: REPORTER_KEY_HASH }
  const place = { ...reporter, reportId: reportIdOf(command.issueId) }
  const reply = { ...command, audience: 'reporters', mentioned: [] } as const
  await comments.create({ ...reply, commentId: 'to-all', text: 'Fixed' })
  await comments.create({ ...reply, commentId: 'to-one', text: 'Which phone?', reportNumber: 1 })
  await myReports.markRead(place, 'to-all')
  await myReports.sendMessage({ ...place, messageId: 'one', text: 'A Pixel 9', at: NOW })
  await senders.setReporterBlocked({ ...command, ...reporter, keyHash: 'cd'.repeat(32), isBlocked: true })
}

/** The report with a submission id again, with a new issue id that is not used. */
export function sentAgain({ named, weather }: TransferStory): NewReport {
  return { ...named, issueId: mintId('iss', NOW, projectNumberOf(weather.id)) }
}

export function reportOf(
  project: ProjectRecord,
  actor: Actor,
  title: string,
  submission: NewReport['submission'] = null,
): NewReport {
  return {
    projectId: project.id,
    issueId: mintId('iss', NOW, projectNumberOf(project.id)),
    receivedAt: NOW,
    actor,
    lanes: LANES,
    content: normaliseSubmission({
      title,
      metadata: { 'b"': '\t\u0001', 10: 1e21, a: -0.1, on: true },
      occurredAt: '1969-07-20T20:17:40.000Z',
      sdk: { name: '@bugle/sdk', version: '0.1.0' },
    }),
    submission,
  }
}

export async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const defaults = { isPublic: false, defaultBranch: 'main', createdAt: NOW - 30 * DAY }
  const project = makeProject({
    slug,
    name: `The ${slug}`,
    description: 'Line\nby line',
    websiteUrl: `https://${slug}.example/`,
    ...defaults,
  })
  await storage.projects.create(project)
  return project
}

async function addKeys(storage: Storage, project: ProjectRecord) {
  const wish = { projectId: project.id, name: null, scopes: [], origins: [], createdAt: NOW }
  const app = mintKey({ ...wish, kind: 'public', origins: ['https://weather.example'] })
  const old = mintKey({ ...wish, kind: 'secret', name: 'old', scopes: ALL_SCOPES })
  const all = mintKey({ ...wish, projectId: null, kind: 'secret', scopes: ['issues:read'] })
  for (const { key } of [app, old, all]) await storage.keys.create(key)
  await storage.keys.revoke(old.key.id, NOW)
  await storage.keys.recordUses([{ id: app.key.id, at: NOW }])
  return app.key
}

async function addPeople(storage: Storage, project: ProjectRecord): Promise<void> {
  const ada = mintUnshardedId('usr', NOW)
  const bob = mintUnshardedId('usr', NOW + 1)
  const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdA'.repeat(4)}$${'aGFzaA'.repeat(7)}A`
  const shared = { createdAt: NOW, passwordHash }
  await storage.users.create({
    ...shared,
    id: ada,
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
    canSeeSecurity: true,
    projectIds: null,
  })
  await storage.users.create({
    ...shared,
    id: bob,
    email: 'bob@example.com',
    name: 'Bob 👷',
    role: 'viewer',
    canSeeSecurity: false,
    projectIds: [project.id],
    passwordHash: null,
  })
  await storage.views.create({
    id: mintUnshardedId('viw', NOW),
    userId: ada,
    name: 'Crashes',
    projectId: project.id,
    query: 'category=crash&sort=reports',
    isShared: false,
    createdAt: NOW,
  })
  await storage.views.create({
    id: mintUnshardedId('viw', NOW + 1),
    userId: ada,
    name: 'For all 👥',
    projectId: project.id,
    query: 'assignee=none',
    isShared: true,
    createdAt: NOW + 1,
  })
}
