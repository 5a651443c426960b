import { hash } from 'node:crypto'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { type NewReport, reportIdOf } from '../../src/model/reports/reports.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** A reporter reports an issue twice, talks to the team, and is blocked; the issue is published for a while. Another one has the reports of the seed. */
export async function playConversations(
  { issues, comments, myReports, senders, knownIssues }: Storage,
  { id: projectId }: ProjectRecord,
  makeReport: () => NewReport,
): Promise<void> {
  const at = Date.now()
  const lanes = ['open', 'security'] as const
  const keyHash = hash('sha256', `story-${at}`)
  const reporter = { projectId, keyHash }
  const submit = async () => {
    for (const before of [2 ** 31 - 1, 2]) await knownIssues.list(projectId, before, 21)
    await knownIssues.find(projectId, [1, 2, 3])
    const report = makeReport()
    const content = { ...report.content, fingerprint: `conversation-${at}`, reporterKeyHash: keyHash }
    const outcome = await issues.submit({ ...report, content })
    if (!('receipt' in outcome)) throw new Error(`the story has lost its reporter: ${outcome.kind}`)
    return { reportId: reportIdOf(report.issueId), issueId: outcome.receipt.issueId }
  }
  const [first, second] = [await submit(), await submit()]
  const { issueId } = first
  const by = { projectId, issueId, lanes, actor: null, at }
  const reply = { ...by, text: 'Which phone?', audience: 'reporters', mentioned: [] } as const
  await comments.create({ ...reply, commentId: 'to-all' })
  await comments.create({ ...reply, commentId: 'to-one', reportNumber: 2 })
  for (const { reportId } of [first, second]) {
    const place = { ...reporter, reportId }
    await myReports.sendMessage({ ...place, messageId: 'one', text: 'A Pixel 9', at })
    await myReports.listMessages(place, 100)
    await myReports.markRead(place, 'to-all')
  }
  const { position } = await myReports.readNews(projectId, -1)
  await myReports.readNews(projectId, position - 20)
  for (const one of [keyHash, hash('sha256', '100')]) await myReports.list({ projectId, keyHash: one }, 100)
  const { unread } = await myReports.list(reporter, 100)
  await myReports.areSameMarks(unread)
  await comments.delete({ ...by, commentId: 'to-one', mayDeleteAny: true })
  for (const isBlocked of [true, false]) await senders.setReporterBlocked({ ...by, keyHash, isBlocked })
  await senders.listBlockedReporters(projectId)
  await senders.findBlockedReporters(projectId, 'open', [keyHash, hash('sha256', '100')])
  const change = (known: { title: string; text: string } | null) =>
    issues.change({ ...by, patch: { known }, ifVersions: null })
  await change({ title: 'Settings screen', text: 'Wait.' })
  await knownIssues.search(projectId, 'settings screen', 3)
  const report = makeReport()
  await issues.submit({ ...report, knownIssueId: issueId })
  await change(null)
  for (const reportNumber of [1, 2]) await myReports.forgetReporter({ ...by, reportNumber })
  await issues.delete({ ...by })
}
