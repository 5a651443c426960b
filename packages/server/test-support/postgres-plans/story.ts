import { ISSUE_SORTS } from '@bugle/contract/vocabulary'
import { mintKey } from '../../src/domain/projects/keys.ts'
import { makeWebhook } from '../../src/domain/webhooks/webhooks.ts'
import { mintId, mintUnshardedId, projectNumberOf } from '../../src/model/ids.ts'
import { everyIssue, type IssueSelection, type ListStart } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import type { Lane } from '../../src/model/lanes.ts'
import { type ProjectRecord, placeOf, type SdkSettings } from '../../src/model/projects.ts'
import { normaliseSubmission } from '../../src/model/report-content.ts'
import type { NewReport } from '../../src/model/reports.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { UserRecord } from '../../src/model/users.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { plainProject } from '../plain-reports.ts'
import { FAILED, TAKEN } from '../webhook-stage.ts'

const BOTH_LANES: readonly Lane[] = ['open', 'security']
const DAY_MS = 86_400_000

/** Does everything that a storage can do in a project that exists, at least once. */
export async function playStory(storage: Storage, project: ProjectRecord): Promise<void> {
  const now = Date.now()
  const issue = await playIssues(storage, project, now)
  await playLists(storage, project, issue)
  await playEvents(storage, project, now)
  await playWebhooks(storage, project, now)
  await playProjects(storage, project, now)
  await playPeople(storage, project, now)
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
    content: normaliseSubmission({ title: 'Settings screen app', fingerprint: wish.fingerprint ?? null }),
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
    { fingerprint: `new-${at}` },
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
  // Regresses, from a version of which nothing, or only joined reports, are known.
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
  // All of the period: it looks at the newest issues, as many as its limit says, whenever they were created.
  await stats.listPeriod({ projectId: project.id, lanes: ['open'], since: 0, limit: 5_000 })
  await stats.addIntake(project.id, [['limited', 2]])
  const issue = await issues.find(project.id, newest[0]?.id ?? 'iss_')
  await issues.findByNumber(project.id, newest[0]?.issueNumber ?? 1)
  if (issue === undefined) throw new Error('the story has lost its issue')
  await issues.revision(project.id, ['open'])
  for (const lanes of [['open'], ['open', 'security']] as const)
    await issues.listEvents({ issue, lanes, afterPosition: 0, limit: 50 })
  await issues.listReports(issue, issue.reportCount + 1, 50)
  return issue
}

/** Moves an issue with many reports between the lanes and deletes it; its submission ids are then used again. */
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
  ...{ enabled: true, minSdkVersion: null, features: {}, refreshAfterSeconds: 300 },
  crash: { enabled: true, sampleRate: 1 },
}

async function playProjects({ projects, keys }: Storage, project: ProjectRecord, now: number): Promise<void> {
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
  const { key } = mintKey({
    ...{ projectId: made.id, kind: 'secret', name: 'Story', scopes: [], origins: [] },
    createdAt: now,
  })
  await keys.create(key)
  await Promise.all([keys.findByHash(key.hash), keys.list(made.id), keys.list(null)])
  await keys.recordUses([{ id: key.id, at: now }])
  await keys.revoke(key.id, now)
  await projects.delete(made.id)
  const after = await projects.find('after')
  for (let step = 0; after !== undefined && step < 2; step++) await projects.delete(after.id)
}

async function playPeople(
  { users, signIns, views }: Storage,
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
    currentHash: 'x',
    passwordHash: 'y',
    keptSignInId: signIn.id,
  })
  const view = {
    id: mintUnshardedId('viw', now),
    userId: user.id,
    name: 'Mine',
    projectId: project.id,
    query: '',
  }
  await views.create({ ...view, createdAt: now })
  await views.list(user.id)
  await views.delete(user.id, view.id)
  await signIns.end(user.id, signIn.id)
  await signIns.endAll(user.id)
  await signIns.expireSome({ createdAt: now - DAY_MS, lastSeenAt: now - DAY_MS })
  await users.delete(user.id)
  await users.delete(guest.id)
}
