import type { CommentCommand } from '../src/model/comments/comments.ts'
import { storeExceptions } from '../src/model/crashes/report-exceptions.ts'
import type { Actor } from '../src/model/events.ts'
import { mintUnshardedId } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewReport } from '../src/model/reports/reports.ts'
import { reportIdOf } from '../src/model/reports/reports.ts'
import type { Storage } from '../src/storage/storage.ts'
import { LANES, NOW, reportOf } from './transfer-projects.ts'

/** Reports of one issue with different texts, one of them twice. */
export async function reportTogether(
  storage: Storage,
  project: ProjectRecord,
  actor: Actor,
): Promise<NewReport> {
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

/** An issue of whose reports one was deleted and one was redacted. */
export async function removeSomeReports(
  storage: Storage,
  project: ProjectRecord,
  actor: Actor,
): Promise<void> {
  const reports = ['First', 'Deleted', 'Redacted', 'Later'].map((title, index) => {
    const report = reportOf(project, actor, title, { id: `removed-${index}`, contentHash: '08'.repeat(16) })
    const reporter = REPORTERS[index % 2] ?? null
    return { ...report, content: { ...report.content, fingerprint: 'removed', appVersion: '3.1', reporter } }
  })
  const [first] = reports
  if (first === undefined) return
  for (const report of reports.slice(0, 3)) await storage.issues.submit(report)
  const command = { projectId: project.id, issueId: first.issueId, lanes: LANES, actor, at: NOW }
  await storage.issues.deleteReport({ ...command, reportNumber: 2 })
  await storage.issues.redactReport({ ...command, reportNumber: 3 })
  // Its number differs from the number of reports.
  for (const report of reports.slice(3)) await storage.issues.submit(report)
}

/** Comments of which one was edited and one was deleted, and a conversation with the first reporter. */
export async function writeComments(
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

const REPORTER_KEY_HASH = 'ab'.repeat(32)
