import { ISSUE_SORTS } from '@bugle/contract/vocabulary'
import { mintId } from '../../src/model/ids.ts'
import { everyIssue } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { normaliseSubmission, reportIdOf } from '../../src/model/reports/reports.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { BOTH_LANES, DAY_MS, reportFor } from './story-reports.ts'

/** Submits, changes, merges and deletes issues; returns one that remains. */
export async function playIssues(
  { issues, stats }: Storage,
  project: ProjectRecord,
  at: number,
): Promise<StoredIssue> {
  const submission = { id: `story-${at}`, contentHash: '00'.repeat(16) }
  for (const fields of [
    {},
    { fingerprint: 'f100' },
    { fingerprint: `new-${at}`, exception: '[]' },
    { fingerprint: 'f200', exception: '[]' },
    { submission },
    { submission },
  ]) {
    await issues.submit(reportFor(project, fields))
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
  const command = { projectId: project.id, lanes: BOTH_LANES, actor: null, at, ifVersions: null }
  const patches = [
    { status: 'acknowledged' },
    { category: 'security' },
    { category: 'bug', title: 'Changed' },
    { note: 'Looked at it' },
  ] as const
  for (const patch of patches) {
    await Promise.all(newest.slice(0, 25).map(({ id }) => issues.change({ ...command, issueId: id, patch })))
  }
  // A regression from a version that is unknown or known only from joined reports.
  const fingerprint = 'f100'
  const versioned = (appVersion: string) =>
    reportFor(project, { content: normaliseSubmission({ title: 'Regresses', fingerprint, appVersion }) })
  const joined = await issues.submit(versioned('9.9.8'))
  if (!('receipt' in joined)) throw new Error(`the story has lost its way: ${joined.kind}`)
  for (const appVersion of ['9.9.8', `9.9.${at}`]) {
    await issues.change({ ...command, issueId: joined.receipt.issueId, patch: { status: 'resolved' } })
    await issues.submit(versioned(appVersion))
  }
  await Promise.all(newest.slice(-3).map(({ id }) => issues.delete({ ...command, issueId: id })))
  await deleteNoisyIssue(issues, project, command)
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
  await removeReports(issues, project, command)
  await mergeIssues(issues, issue, { ...command, issueId: newest[1]?.id ?? issue.id })
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
  { ifVersions: _, ...command }: Omit<Parameters<Storage['issues']['change']>[0], 'issueId' | 'patch'>,
): Promise<void> {
  const fingerprint = `texts-${command.at}`
  const sent = Array.from({ length: 12 }, (_, n) =>
    reportFor(project, {
      content: normaliseSubmission({
        title: `Text ${n % 8}`,
        fingerprint,
        reporter: { id: `person ${n % 3}`, email: `${n}@example.com` },
      }),
    }),
  )
  const [first] = await Promise.all(sent.map((report) => issues.submit(report)))
  if (first === undefined || !('receipt' in first)) throw new Error('the story has lost its reports')
  const { issueId } = first.receipt
  await issues.submit(reportFor(project, { content: normaliseSubmission({ title: 'Text 3', fingerprint }) }))
  await issues.change({ ...command, issueId, ifVersions: null, patch: { title: 'Edited' } })
  for (const reportNumber of [3, 7])
    for (const remove of [issues.redactReport, issues.deleteReport])
      await remove({ ...command, issueId, reportNumber })
  const issue = await issues.find(project.id, issueId)
  if (issue !== undefined) await issues.findReport(issue, reportIdOf(issueId))
}

/** Moves an issue with many reports between the lanes and deletes it; its submission ids are then reused. */
async function deleteNoisyIssue(
  issues: Storage['issues'],
  project: ProjectRecord,
  command: Omit<Parameters<Storage['issues']['change']>[0], 'issueId' | 'patch'>,
): Promise<void> {
  const content = normaliseSubmission({ title: 'Noisy', fingerprint: `noisy-${command.at}` })
  const reports = Array.from({ length: 100 }, (_, n) =>
    reportFor(project, {
      content,
      submission: { id: `noisy-${command.at}-${n}`, contentHash: 'ab'.repeat(16) },
    }),
  )
  const [first] = await Promise.all(reports.map((report) => issues.submit(report)))
  if (first === undefined || !('receipt' in first)) throw new Error('the story has lost its noisy issue')
  const { issueId } = first.receipt
  for (const category of ['security', 'bug'] as const)
    await issues.change({ ...command, issueId, patch: { category } })
  await issues.delete({ ...command, issueId })
  const submission = { id: `noisy-${command.at}-7`, contentHash: 'cd'.repeat(16) }
  await issues.submit(reportFor(project, { submission }))
  while (await issues.removeDeleted(60));
}

/** Changes issues together, and deletes them. */
export async function playBulkChanges(
  { issues }: Storage,
  project: ProjectRecord,
  at: number,
): Promise<void> {
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
export async function playSpam(
  { issues, senders }: Storage,
  project: ProjectRecord,
  at: number,
): Promise<void> {
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
