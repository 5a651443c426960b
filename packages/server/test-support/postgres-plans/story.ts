import { ISSUE_SORTS, JOINT_SORTS } from '@bugle/contract/vocabulary'
import { mintKey } from '../../src/domain/projects/keys.ts'
import { makeWebhook } from '../../src/domain/webhooks/webhooks.ts'
import { mintId, mintUnshardedId, type ProjectId, projectNumberOf } from '../../src/model/ids.ts'
import { everyIssue, type IssueSelection, type ListStart } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import type { Lane } from '../../src/model/lanes.ts'
import type { UserRecord } from '../../src/model/people/users.ts'
import { type ProjectRecord, placeOf, type SdkSettings } from '../../src/model/projects.ts'
import type { NewAttachment } from '../../src/model/reports/attachments.ts'
import type { NewReport } from '../../src/model/reports/reports.ts'
import { normaliseSubmission, reportIdOf } from '../../src/model/reports/reports.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { plainProject } from '../plain-reports.ts'
import { FAILED, TAKEN } from '../webhook-stage.ts'
import { playConversations } from './play-conversations.ts'
import { playFiles } from './play-files.ts'

const BOTH_LANES: readonly Lane[] = ['open', 'security']
const DAY_MS = 86_400_000

/** Runs every operation of a storage on an existing project, at least once. */
export async function playStory(storage: Storage, project: ProjectRecord): Promise<void> {
  const now = Date.now()
  const issue = await playIssues(storage, project, now)
  await playTeam(storage, project, issue, now)
  await playComments(storage, project, issue, now)
  await playConversations(storage, project, () => reportFor(project, {}))
  await playBulkChanges(storage, project, now)
  await playSpam(storage, project, now)
  await playLists(storage, project, issue)
  await playFiles(storage, project, reportFor(project, {}))
  await playEvents(storage, project, now)
  await playWebhooks(storage, project, now)
  await playProjects(storage, project, now)
  await playPeople(storage, project, now)
  await playAuditLog(storage, project, now)
  await playSdkBuilds(storage, now)
  await Promise.all([storage.catalogVersion(), storage.probe(), storage.beat(), storage.countPendingWrites()])
}

function reportFor(project: ProjectRecord, wish: Partial<NewReport> & { fingerprint?: string }): NewReport {
  const receivedAt = Date.now()
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: BOTH_LANES,
    content: normaliseSubmission({
      title: 'Settings screen app',
      fingerprint: wish.fingerprint ?? null,
      reporter: { id: 'ada', email: 'ada@example.com' },
    }),
    submission: null,
    ...wish,
  }
}

async function playIssues(
  { issues, stats }: Storage,
  project: ProjectRecord,
  at: number,
): Promise<StoredIssue> {
  const submission = { id: `story-${at}`, contentHash: '00'.repeat(16) }
  for (const wish of [
    {},
    { fingerprint: 'f100' },
    { fingerprint: `new-${at}`, exception: '[]' },
    { fingerprint: 'f200', exception: '[]' },
    { submission },
    { submission },
  ]) {
    await issues.submit(reportFor(project, wish))
  }
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => issues.submit(reportFor(project, { fingerprint: `f${n}0` }))),
  )
  const { issues: newest } = await issues.list({
    selection: everyIssue(project.id, BOTH_LANES),
    sort: 'reports',
    start: { offset: 0 },
    limit: 40,
  })
  const order = { projectId: project.id, lanes: BOTH_LANES, actor: null, at, ifVersions: null }
  const patches = [
    { status: 'acknowledged' },
    { category: 'security' },
    { category: 'bug', title: 'Changed' },
    { note: 'Looked at it' },
  ] as const
  for (const patch of patches) {
    await Promise.all(newest.slice(0, 25).map(({ id }) => issues.change({ ...order, issueId: id, patch })))
  }
  // A regression from a version that is unknown or known only from joined reports.
  const fingerprint = 'f100'
  const versioned = (appVersion: string) =>
    reportFor(project, { content: normaliseSubmission({ title: 'Regresses', fingerprint, appVersion }) })
  const joined = await issues.submit(versioned('9.9.8'))
  if (!('receipt' in joined)) throw new Error(`the story has lost its way: ${joined.kind}`)
  for (const appVersion of ['9.9.8', `9.9.${at}`]) {
    await issues.change({ ...order, issueId: joined.receipt.issueId, patch: { status: 'resolved' } })
    await issues.submit(versioned(appVersion))
  }
  await Promise.all(newest.slice(-3).map(({ id }) => issues.delete({ ...order, issueId: id })))
  await deleteNoisyIssue(issues, project, order)
  await stats.read(project.id, ['open'])
  // The whole period: it examines the newest issues up to its limit, whenever they were created.
  await stats.countPeriod({ projectId: project.id, lanes: ['open'], since: 0, until: null, limit: 5_000 })
  const bounds = { since: 0, maxIssues: 5_000, maxSources: 2_000 }
  await stats.countVersions({ projectId: project.id, lanes: ['open'], appVersions: ['1.1'], ...bounds })
  await stats.addIntake(project.id, [['limited', 2]])
  const issue = await issues.find(project.id, newest[0]?.id ?? 'iss_')
  await issues.findByNumber(project.id, newest[0]?.issueNumber ?? 1)
  if (issue === undefined) throw new Error('the story has lost its issue')
  await issues.revision(project.id, ['open'])
  for (const lanes of [['open'], ['open', 'security']] as const)
    await issues.listEvents({ issue, lanes, afterPosition: 0, limit: 50 })
  for (const isDistinct of [false, true])
    await issues.listReports({ issue, before: issue.reportCount + 1, limit: 50, isDistinct })
  await removeReports(issues, project, order)
  await mergeIssues(issues, issue, { ...order, issueId: newest[1]?.id ?? issue.id })
  return issue
}

/** An issue becomes a duplicate of another one, and is separated again. */
async function mergeIssues(
  issues: Storage['issues'],
  target: StoredIssue,
  duplicate: Parameters<Storage['issues']['merge']>[0],
): Promise<void> {
  const merged = await issues.merge({ ...duplicate, into: target.id })
  if (merged.kind !== 'changed') throw new Error(`the story has lost its way: ${merged.kind}`)
  const listing = { issue: target, limit: 50 }
  await issues.listDuplicates({ ...listing, before: 2 ** 31 })
  for (const isDistinct of [false, true])
    await issues.listMergedReports({ ...listing, isDistinct, places: new Map() })
  await issues.merge(duplicate)
}

/** Reports with different texts, of which one is deleted and one is redacted. */
async function removeReports(
  issues: Storage['issues'],
  project: ProjectRecord,
  { ifVersions: _, ...order }: Omit<Parameters<Storage['issues']['change']>[0], 'issueId' | 'patch'>,
): Promise<void> {
  const fingerprint = `texts-${order.at}`
  const sent = Array.from({ length: 12 }, (_, n) =>
    reportFor(project, {
      content: normaliseSubmission({
        title: `Text ${n % 8}`,
        fingerprint,
        reporter: { id: `person ${n % 3}`, email: `${n}@example.com` },
      }),
    }),
  )
  const [first] = await Promise.all(sent.map(issues.submit))
  if (first === undefined || !('receipt' in first)) throw new Error('the story has lost its reports')
  const { issueId } = first.receipt
  await issues.submit(reportFor(project, { content: normaliseSubmission({ title: 'Text 3', fingerprint }) }))
  await issues.change({ ...order, issueId, ifVersions: null, patch: { title: 'Edited' } })
  for (const reportNumber of [3, 7])
    for (const remove of [issues.redactReport, issues.deleteReport])
      await remove({ ...order, issueId, reportNumber })
  const issue = await issues.find(project.id, issueId)
  if (issue !== undefined) await issues.findReport(issue, reportIdOf(issueId))
}

/** Moves an issue with many reports between the lanes and deletes it; its submission ids are then reused. */
async function deleteNoisyIssue(
  issues: Storage['issues'],
  project: ProjectRecord,
  order: Omit<Parameters<Storage['issues']['change']>[0], 'issueId' | 'patch'>,
): Promise<void> {
  const content = normaliseSubmission({ title: 'Noisy', fingerprint: `noisy-${order.at}` })
  const reports = Array.from({ length: 100 }, (_, n) =>
    reportFor(project, {
      content,
      submission: { id: `noisy-${order.at}-${n}`, contentHash: 'ab'.repeat(16) },
    }),
  )
  const [first] = await Promise.all(reports.map(issues.submit))
  if (first === undefined || !('receipt' in first)) throw new Error('the story has lost its noisy issue')
  const { issueId } = first.receipt
  for (const category of ['security', 'bug'] as const)
    await issues.change({ ...order, issueId, patch: { category } })
  await issues.delete({ ...order, issueId })
  const submission = { id: `noisy-${order.at}-7`, contentHash: 'cd'.repeat(16) }
  await issues.submit(reportFor(project, { submission }))
  while (await issues.removeDeleted(60));
}

const SELECTIONS: readonly Partial<IssueSelection>[] = [
  {},
  { statuses: ['open'] },
  { statuses: ['wontfix', 'closed'] },
  { platforms: ['ios'] },
  { categories: ['crash'], statuses: ['resolved'] },
  { categories: ['security'] },
  { priorities: ['critical'] },
  { appVersions: ['9.9.9'] },
  { createdAfter: Date.UTC(2026, 0, 1, 12), branches: ['main'] },
  ...['app', 'needle', 'absent', 'word7*', 'sc*', '"settings screen"', 'app crash'].map((q) => ({
    search: parseSearch(q),
  })),
  { search: parseSearch('crash'), platforms: ['ios'] },
]

async function playLists({ issues }: Storage, { id }: ProjectRecord, issue: StoredIssue): Promise<void> {
  const number = Math.floor(issue.issueNumber / 2)
  const starts: readonly ListStart[] = [{ offset: 0 }, { after: { key: number, number } }]
  for (const [index, filters] of SELECTIONS.entries()) {
    const selection = { ...everyIssue(id, index % 2 === 0 ? ['open'] : BOTH_LANES), ...filters }
    for (const sort of ISSUE_SORTS) {
      for (const start of starts) await issues.list({ selection, sort, start, limit: 25 })
    }
    await issues.count(selection)
    await issues.countByStatus(selection)
  }
  await playJointLists(issues, id)
}

/** Lists of all projects, and of one of them. */
async function playJointLists(issues: Storage['issues'], id: ProjectId): Promise<void> {
  const { projectId: _, ...all } = everyIssue(id, BOTH_LANES)
  const after = { key: 3, projectNumber: 2 ** 20, number: 500 }
  for (const filters of [all, { ...all, statuses: ['open'] as const, priorities: ['low'] as const }])
    for (const sort of JOINT_SORTS)
      for (const projectIds of [null, [id]])
        for (const from of [null, after])
          await issues.listJointly({ filters, sort, projectIds, after: from, limit: 25 })
}

/** Assigns and labels issues, lists them, and takes both from them. */
async function playTeam(
  { issues, labels, users }: Storage,
  project: ProjectRecord,
  { id: issueId }: StoredIssue,
  at: number,
): Promise<void> {
  const userId = mintUnshardedId('usr', at)
  const name = `label ${at}`
  const label = await labels.create({ projectId: project.id, name, colour: '#596273', createdAt: at })
  if (typeof label === 'string') throw new Error(`the story has lost its way: ${label}`)
  const order = { projectId: project.id, issueId, lanes: BOTH_LANES, actor: null, at, ifVersions: null }
  const patch = { assigneeId: userId, labels: [label.number] }
  await issues.change({ ...order, patch, laneAssignee: userId })
  const all = everyIssue(project.id, BOTH_LANES)
  for (const filters of [
    { assignees: [userId] },
    { labels: [label.number] },
    { assignees: [null] },
    { reporters: ['ada', 'x@y.z'] },
  ])
    for (const sort of ISSUE_SORTS) {
      const selection = { ...all, ...filters }
      await issues.list({ selection, sort, start: { offset: 0 }, limit: 50 })
      await issues.countByStatus(selection)
    }
  await users.listOfProject({ projectId: project.id, canSeeSecurity: false, afterId: null, limit: 50 })
  await users.nextUnassignment()
  await users.finishUnassignment({ userId, round: 1 })
  await issues.listUnassignable(userId, undefined, 50)
  await issues.unassign({ projectId: project.id, issueId, userId, at })
  await labels.list(project.id)
  await labels.update(project.id, name, { colour: '#1a7f37' })
  await labels.delete(project.id, name)
  const deleted = { projectId: project.id, number: label.number }
  await labels.nextDeleted()
  await labels.listLabelled(deleted, 50)
  await issues.unlabel({ projectId: project.id, issueId, label: label.number })
  await labels.finishDeleted(deleted)
}

/** Writes, edits, deletes and lists comments. */
async function playComments(
  { comments, attachments }: Storage,
  { id: projectId }: ProjectRecord,
  { id: issueId, issueNumber }: StoredIssue,
  at: number,
): Promise<void> {
  const mentioned = [{ id: mintUnshardedId('usr', at), name: 'Ada', canSeeSecurity: true }]
  const ids = Array.from({ length: 5 }, (_, n) => `story-${at}-${n}`)
  for (const commentId of [...ids, ...ids]) {
    const command = { projectId, issueId, commentId, lanes: BOTH_LANES, actor: null, at }
    const files = [commentFile(projectId, at), commentFile(projectId, at)]
    const said = { text: 'Look, @Ada', audience: 'team', mentioned } as const
    await comments.create({ ...command, ...said, attachments: files })
  }
  const [commentId = ''] = ids
  const command = { projectId, issueId, commentId, lanes: BOTH_LANES, actor: null, at }
  await comments.change({ ...command, text: 'Never mind', mentioned: [] })
  const { sha256, ...file } = commentFile(projectId, at)
  const place = { projectId, issueNumber, commentId, sha256 }
  await comments.change({ ...command, text: null, mentioned: [], attachments: [{ ...file, sha256 }] })
  await attachments.findDeclaration(place)
  await attachments.receive({ ...place, actor: null, at, stored: null, maxProjectBytes: 0 })
  await comments.delete({ ...command, mayDeleteAny: false })
  await comments.list({ projectId, issueNumber, afterNumber: 1, limit: 50 })
  await comments.findSome(
    projectId,
    ids.map((id) => ({ issueNumber, id })),
  )
}

function commentFile(projectId: ProjectRecord['id'], at: number): NewAttachment {
  const id = mintId('att', at, projectNumberOf(projectId))
  return { id, name: id, declaredType: 'image/png', size: 7, sha256: 'a7'.repeat(32) }
}

/** Changes issues together, and deletes them. */
async function playBulkChanges({ issues }: Storage, project: ProjectRecord, at: number): Promise<void> {
  const projectId = project.id
  const reports = Array.from({ length: 3 }, () => reportFor(project, {}))
  for (const report of reports) await issues.submit(report)
  const command = {
    projectId,
    contentHash: 'x',
    lanes: BOTH_LANES,
    laneAssignee: null,
    labelNames: { 1: 'ui' },
    actor: null,
    at,
  }
  const selected = (version: number) => reports.map(({ issueId }) => ({ issueId, version }))
  const patch = { status: 'resolved', addedLabels: [1] } as const
  const change = { ...command, bulkId: `story-${at}`, action: 'change', issues: selected(1), patch } as const
  await issues.changeSeveral(change)
  await issues.findBulkChange(projectId, change.bulkId)
  const bulkId = `story-${at}-deleted`
  await issues.changeSeveral({ ...command, bulkId, action: 'delete', issues: selected(2), patch: {} })
}

/** Marks issues as spam, one and several, and lists them. */
async function playSpam({ issues, senders }: Storage, project: ProjectRecord, at: number): Promise<void> {
  const projectId = project.id
  const reports = Array.from({ length: 4 }, (_, n) => reportFor(project, { isSpam: n === 0, sender: `${n}` }))
  for (const report of reports) await issues.submit(report)
  const again = { fingerprint: `spam-${at}`, isSpam: true, sender: 'a' }
  for (const report of [reportFor(project, again), reportFor(project, again)]) await issues.submit(report)
  const by = { projectId, lanes: BOTH_LANES, actor: null, at }
  const [, { issueId } = { issueId: mintId('iss', at, 1) }, ...others] = reports
  for (const isSpam of [true, false, true])
    await issues.markSpam({ ...by, issueId, isSpam, ifVersions: null })
  await senders.block({ projectId, issueId, since: 0 })
  await senders.listBlocked(projectId)
  await senders.unblock(projectId)
  await senders.expireBlocked(projectId, '2020-01-01')
  await senders.requireKey('2026-11-15', new Uint8Array(32))
  await senders.findKey('2026-11-15')
  await senders.expireKeys('2020-01-01')
  const selected = others.map((report) => ({ issueId: report.issueId, version: 1 }))
  const bulk = { contentHash: 'x', patch: {}, laneAssignee: null, labelNames: {}, issues: selected }
  await issues.changeSeveral({ ...by, ...bulk, bulkId: `spam-${at}`, action: 'mark_spam' })
  await issues.listSpam(projectId, at - DAY_MS, 100)
  for (const sort of ISSUE_SORTS)
    for (const search of [null, parseSearch('settings')]) {
      const selection = { ...everyIssue(projectId, BOTH_LANES), isSpam: true, search }
      await issues.list({ selection, sort, start: { offset: 0 }, limit: 25 })
      await issues.count(selection)
    }
}

async function playEvents({ events }: Storage, { id: projectId }: ProjectRecord, now: number): Promise<void> {
  const { end } = await events.window(projectId, ['open', 'security'])
  for (const lanes of [['open'], ['open', 'security']] as const) {
    const selection = { projectId, lanes, limit: 100, after: Math.floor(end / 2) }
    await events.list({ ...selection, types: null })
    await events.list({ ...selection, types: ['issue.regressed'] })
  }
  await events.findActorNames([mintUnshardedId('key', now), mintUnshardedId('usr', now)])
  await events.expireSome(projectId, now - 400 * DAY_MS)
  await events.expireSome(projectId, now)
  const stop = events.subscribe(() => {})
  stop()
}

async function playWebhooks(
  { issues, webhooks, deliveries }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const [old] = await webhooks.list({ projectId: project.id, lanes: BOTH_LANES, afterNumber: 0, limit: 5 })
  const made = await webhooks.create(
    makeWebhook(project, { url: 'https://a.example/', secret: 'whsec_a', createdAt: now }),
  )
  if (typeof made === 'string') throw new Error(`the webhook was not created: ${made}`)
  await issues.submit(reportFor(project, {}))
  const webhook = old ?? made
  const order = { projectId: project.id, webhookId: webhook.id, lanes: BOTH_LANES }
  await webhooks.find(project.id, webhook.id)
  for (const { id } of await deliveries.listBehind(8)) await deliveries.fanOut(project.id, id, now)
  await deliveries.fanOut(project.id, webhook.id, now)
  await deliveries.isAnyDue(now)
  const claims = await deliveries.claimDue({ now, leaseMs: 30_000, perWebhook: 8, limit: 64 })
  for (const [index, { event, webhook: own, project: home }] of claims.slice(0, 4).entries()) {
    const place = { projectId: home.id, webhookId: own.id, position: event.position }
    const result = index % 2 === 0 ? TAKEN : FAILED
    await deliveries.recordAttempt({ ...place, sentAt: now, now, result, random: 0.5 })
  }
  const listed = await deliveries.list({ ...order, beforePosition: 1e9, limit: 50 })
  const position = listed[0]?.position ?? 1
  await deliveries.find(order, position)
  await deliveries.countPending(webhook)
  await deliveries.countPendingOf([webhook])
  await deliveries.listAttempts(order, position)
  await deliveries.redeliver(order, position, now)
  await deliveries.expireSome(project.id, now)
  for (const status of ['paused', 'active'] as const) {
    await webhooks.change({ ...order, patch: { status }, actor: null, at: now })
  }
  await webhooks.rotateSecret({ ...order, secret: 'whsec_b', previousUntil: now, at: now })
  await webhooks.delete({ ...order, webhookId: made.id })
}

const SDK_SETTINGS: SdkSettings = {
  ...{ enabled: true, minSdkVersion: null, features: {}, featureLimits: {}, refreshAfterSeconds: 300 },
  crash: { enabled: true, sampleRate: 1 },
}

async function playProjects(
  { projects, keys, seenValues }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const slug = `story-${now}`
  const made = plainProject(slug, now)
  await projects.create(made)
  await Promise.all([projects.find(project.id), projects.find(project.slug), projects.list(null, 50)])
  await projects.findByNumber(projectNumberOf(project.id))
  await projects.list(placeOf(project), 50)
  await projects.update(made.id, { name: 'Renamed' })
  await projects.findSdkSettings(made.id)
  await projects.saveSdkSettings(made.id, SDK_SETTINGS)
  await projects.countSdkReports(project.id, '2026-01-01')
  await projects.countAppIssues(project.id, now - DAY_MS)
  await seenValues.list(project.id, BOTH_LANES, ['version', 'branch'])
  const { key } = mintKey({
    ...{ projectId: made.id, kind: 'secret', name: 'Story', scopes: [], origins: [] },
    createdAt: now,
  })
  await keys.create(key)
  await Promise.all([keys.findByHash(key.hash), keys.list(made.id), keys.list(null)])
  await keys.recordUses([{ id: key.id, at: now }])
  await Promise.all([keys.find(key.id), projects.listDeleted()])
  await keys.update(key.id, { name: 'Changed' })
  await keys.revoke(key.id, now)
  await projects.delete(made.id)
  await projects.removeDeleted(made.id)
  const after = await projects.find('after')
  for (let step = 0; after !== undefined && step < 2; step++) await projects.delete(after.id)
}

async function playAuditLog(storage: Storage, project: ProjectRecord, now: number): Promise<void> {
  storage.actingAs('system', () => now)
  await storage.auditLog.add({ action: 'data.exported' })
  const everything = {
    ...{ lanes: BOTH_LANES, reach: null, actor: null, action: null, projectId: null },
    ...{ since: null, until: null, before: null, limit: 50 },
  }
  await storage.auditLog.list(everything)
  await storage.auditLog.list({ ...everything, lanes: ['open'], reach: [project.id], projectId: project.id })
  await storage.auditLog.list({
    ...everything,
    actor: 'os:root',
    action: 'key.created',
    since: 0,
    until: now,
  })
  await storage.auditLog.expireSome(0)
}

async function playPeople(
  { users, signIns, accessTokens, views }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const hash = (text: string) => Buffer.from(`${text}-${now}`)
  const user: UserRecord = {
    ...{ id: mintUnshardedId('usr', now), email: `ada-${now}@a.example`, name: 'Ada', role: 'admin' },
    ...{ canSeeSecurity: true, projectIds: null, passwordHash: null, createdAt: now },
  }
  const guest = { ...user, id: mintUnshardedId('usr', now), email: `eve-${now}@a.example` }
  await users.createLink({ userId: null, createdAt: now, expiresAt: now + DAY_MS, hash: hash('first') })
  await users.acceptFirstLink({ hash: hash('first'), at: now, user: guest })
  await users.create(user)
  await Promise.all([
    users.find(user.id),
    users.find(user.email),
    users.list(null, 50),
    users.hasAdmin(),
    users.list(user.id, 50),
  ])
  await users.update(user.id, { name: 'Ada L.' })
  const link = { userId: user.id, createdAt: now, expiresAt: now + DAY_MS }
  await users.createLink({ ...link, hash: hash('link') })
  await users.findLink(hash('link'))
  await users.acceptLink({ hash: hash('link'), at: now, passwordHash: 'x', name: null })
  await users.expireLinks(now)
  const signIn = { id: mintUnshardedId('sgn', now), userId: user.id, hash: hash('sign-in'), userAgent: null }
  await signIns.create({ ...signIn, createdAt: now, lastSeenAt: now }, 'x')
  await signIns.findByHash(signIn.hash)
  await signIns.list(user.id)
  await signIns.recordUses([{ id: signIn.id, at: now }])
  await users.setPassword({
    userId: user.id,
    at: now,
    currentHash: 'x',
    passwordHash: 'y',
    keptSignInId: signIn.id,
  })
  const token = {
    ...{ id: mintUnshardedId('pat', now), userId: user.id, name: 'Script', ending: 'abcd', scopes: [] },
    ...{ hash: hash('token'), createdAt: now, expiresAt: null, lastUsedAt: null },
  }
  await accessTokens.create(token)
  await accessTokens.find(token.id)
  await accessTokens.findByHash(token.hash)
  await accessTokens.list(user.id)
  await accessTokens.recordUses([{ id: token.id, at: now }])
  await accessTokens.revoke(token.id)
  const view = {
    id: mintUnshardedId('viw', now),
    userId: user.id,
    name: 'Mine',
    projectId: project.id,
    query: '',
    isShared: true,
  }
  await views.create({ ...view, createdAt: now })
  await views.find(view.id)
  await views.list(user.id)
  await views.listOfProject(user.id, project.id)
  await views.update(user.id, view.id, { isShared: false })
  await views.delete(user.id, view.id)
  await views.deleteShared(view.id)
  await signIns.end(user.id, signIn.id)
  await signIns.endAll(user.id)
  await signIns.expireSome({ createdAt: now - DAY_MS, lastSeenAt: now - DAY_MS })
  await users.delete(user.id)
  await users.delete(guest.id)
}

async function playSdkBuilds({ sdkBuilds }: Storage, now: number): Promise<void> {
  const id = `0.1.0-${now}`
  await sdkBuilds.keep({ id, files: new Map([['bugle.js', Buffer.from('1')]]) }, now)
  await sdkBuilds.list()
  await sdkBuilds.find(id)
}
