import type { AttachmentId, ProjectId } from '../../../model/ids.ts'
import {
  type AttachmentListing,
  type AttachmentRecord,
  attachmentNumber,
  type CommentFilePlace,
  type Declaration,
  type DeclarationPlace,
  isShownAfter,
  keepsFiles,
  numbersNotKept,
  numbersOfComment,
  PLACES_PER_REPORT,
  type ReceiveCommand,
  type ReceiveOutcome,
  type ReportFilePlace,
  type ReportFilesListing,
  reportNumberOf,
} from '../../../model/reports/attachments.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { laneOfCode } from '../../issues/lane-codes.ts'
import { findState, LAST_REPORT } from '../../issues/reports/attachment-state.ts'
import {
  all,
  change,
  List,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
} from '../../operations.ts'
import type { AttachmentStorage } from '../../ports/attachments.ts'
import { lockProject } from '../projects.ts'
import {
  type AttachmentRow,
  SELECTED,
  selectAttachments,
  toAttachment,
  WITH_FILE,
} from './attachment-rows.ts'
import { addEvent } from './event-log.ts'
import { fileStorage } from './files.ts'
import { omittedFileStorage, releaseOmittedFiles } from './omitted-files.ts'

export function attachmentStorage(
  operations: Operations,
  announce: (projectId: ProjectId) => void,
): AttachmentStorage {
  const { read, write } = operations
  return {
    ...fileStorage(operations),
    ...omittedFileStorage(operations),
    findDeclaration: (place) => read(findDeclaration, place),
    async receive(command) {
      const outcome = await write(receiveAttachment, command)
      if (outcome.kind === 'received') announce(command.projectId)
      return outcome
    },
    projectBytes: (projectId) => read(findProjectBytes, projectId),
    find: (projectId, id) => read(findAttachment, projectId, id),
    findNames: async (projectId, ids) => new Map(await read(findAttachmentNames, projectId, ids)),
    list: (listing) => read(listAttachments, listing),
    listOfReports: (listing) => read(listOfReports, listing),
    findState: (projectId, issueNumber) => read(findState, projectId, issueNumber),
  }
}

const SELECT_SUBMISSION = forBoth(
  ({ numberIn }) =>
    `SELECT ${numberIn('r.issue_number')} AS issue_number, coalesce(r.report_number, r.report_count) AS report_number
     FROM submissions r WHERE r.project = $1 AND r.id = $2`,
)
const SELECT_ISSUE = forBoth(
  ({ isKey }) =>
    `SELECT i.lane, ${LAST_REPORT} AS last_report FROM issues i WHERE ${isKey('i.number', '$1', '$2')}`,
)
const WITH_DIGEST = selectAttachments(
  ({ isKey }) =>
    `${isKey('r.issue_number', '$1', '$2')}
       AND r.number >= $3 AND r.number < $4 AND r.digest = $5 ORDER BY r.number`,
)
const SEQ_OF = 'SELECT seq, file_bytes FROM projects WHERE id = $1 AND slug IS NOT NULL'

/** What declares files: a report or a comment. */
interface Declarer {
  readonly issueNumber: number
  /** The numbers that its files have: from the first, and before the second. */
  readonly numbers: readonly [from: number, before: number]
}

interface FoundDeclaration extends Declarer {
  readonly lane: number
  readonly lastReport: number
  /** Several if the report declares the same bytes under several names. */
  readonly attachments: readonly AttachmentRecord[]
}

/** The declarations for a digest; nothing if there are none, or the issue was deleted. */
function* findDeclared(project: number, place: DeclarationPlace): Operation<FoundDeclaration | undefined> {
  const declarer =
    'submissionId' in place ? yield* findReport(project, place) : yield* findComment(project, place)
  if (declarer === undefined) return undefined
  const { issueNumber, numbers } = declarer
  const issue = yield* one<{ lane: number; last_report: number }>(SELECT_ISSUE, project, issueNumber)
  if (issue === undefined) return undefined
  const rows = yield* all<AttachmentRow>(WITH_DIGEST, project, issueNumber, ...numbers, digestOf(place))
  if (rows.length === 0) return undefined
  const { lane, last_report: lastReport } = issue
  // An edit may add a file with the same bytes as one that a comment has: it is received by itself.
  const attachments = rows
    .map(toAttachment)
    .sort((one, other) => Number(one.receivedAt) - Number(other.receivedAt))
  return { ...declarer, lane, lastReport, attachments }
}

function* findReport(project: number, { submissionId }: ReportFilePlace): Operation<Declarer | undefined> {
  const row = yield* one<{ issue_number: number; report_number: number }>(
    SELECT_SUBMISSION,
    project,
    submissionId,
  )
  if (row === undefined) return undefined
  const { issue_number: issueNumber, report_number: reportNumber } = row
  return {
    issueNumber,
    numbers: [attachmentNumber(reportNumber, 0), attachmentNumber(reportNumber + 1, 0)],
  }
}

const SELECT_COMMENT = forBoth(
  ({ isKey }) =>
    `SELECT r.number FROM comments r WHERE ${isKey('r.issue_number', '$1', '$2')}
       AND r.id BETWEEN $3 AND $3 AND r.text IS NOT NULL ORDER BY r.id LIMIT 1`,
)

function* findComment(
  project: number,
  { issueNumber, commentId }: CommentFilePlace,
): Operation<Declarer | undefined> {
  const row = yield* one<{ number: number }>(SELECT_COMMENT, project, issueNumber, commentId)
  return row && { issueNumber, numbers: numbersOfComment(row.number) }
}

function* findDeclaration(place: DeclarationPlace): Operation<Declaration | undefined> {
  const { projectId } = place
  const project = yield* one<{ seq: number; file_bytes: number }>(SEQ_OF, storedId(projectId))
  const found = project && (yield* findDeclared(project.seq, place))
  const [attachment] = found?.attachments ?? []
  if (project === undefined || found === undefined || attachment === undefined) return undefined
  const isKept = keepsFiles(attachment.reportNumber, found.lastReport)
  const { file_bytes: projectBytes } = project
  return { projectId, projectBytes, attachment, isKept }
}

const MARK_RECEIVED = forBoth(
  ({ isKey }) =>
    `UPDATE attachments AS r SET received_at = $3
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.number >= $4 AND r.number < $5 AND r.digest = $6`,
)

/** Makes the bytes of an attachment visible, with an event. The project is locked first, as by every commit. */
export function* receiveAttachment(command: ReceiveCommand): Operation<ReceiveOutcome> {
  const project = yield* lockProject(command.projectId)
  const found = project === undefined ? undefined : yield* findDeclared(project, command)
  const [attachment] = found?.attachments ?? []
  if (project === undefined || found === undefined || attachment === undefined) return { kind: 'missing' }
  const { reportNumber } = attachment
  if (!keepsFiles(reportNumber, found.lastReport)) return { kind: 'omitted' }
  const isRepeated = attachment.receivedAt !== null
  if (isRepeated && !attachment.isDamaged) return { kind: 'repeated', isUsed: false }
  const kept = yield* keepFile(project, attachment.size, command)
  if (typeof kept === 'string') return { kind: kept }
  if (isRepeated) return { kind: 'repeated', isUsed: kept.isUsed }
  yield* send(MARK_RECEIVED, project, found.issueNumber, command.at, ...found.numbers, digestOf(command))
  yield* releaseOmitted(project, found)
  yield* addEvent(project, {
    event: receivedEvent(attachment, kept.contentType, command),
    lane: laneOfCode(found.lane),
    by: { at: command.at, actor: command.actor },
    issueNumber: found.issueNumber,
  })
  return { kind: 'received', isUsed: kept.isUsed }
}

/** Without the name, which is looked up when the event is read: it must not outlast the report. */
function receivedEvent({ id, size }: AttachmentRecord, contentType: string | null, place: DeclarationPlace) {
  const comment = 'commentId' in place ? { commentId: place.commentId } : {}
  const changes = [{ member: 'attachment', from: null, to: { id, size, contentType, ...comment } }]
  return { type: 'attachment.received', changes, note: null, reason: null } as const
}

/** The project's file with these bytes: the existing one unless it is damaged, or the one that was just stored. */
function* keepFile(
  project: number,
  size: number,
  command: ReceiveCommand,
): Operation<{ readonly isUsed: boolean; readonly contentType: string | null } | 'gone' | 'full'> {
  const digest = digestOf(command)
  const { stored } = command
  const file = yield* one<{ content_type: string | null; object: string; is_damaged: number | null }>(
    'UPDATE files SET is_suspect = 0 WHERE project = $1 AND digest = $2 RETURNING content_type, object, is_damaged',
    project,
    digest,
  )
  if (file !== undefined) {
    const isReplaced = file.is_damaged === 1 && stored !== null
    if (isReplaced) yield* replaceFile(project, { digest, damaged: file.object, whole: stored.file })
    return { isUsed: isReplaced, contentType: file.content_type }
  }
  if (stored === null) return 'gone'
  const grown = yield* change(
    'UPDATE projects SET file_bytes = file_bytes + $2 WHERE seq = $1 AND file_bytes + $2 <= $3',
    project,
    size,
    command.maxProjectBytes,
  )
  if (grown === 0) return 'full'
  yield* send(
    `INSERT INTO files (project, digest, object, size, content_type, stored_at, is_suspect, is_damaged)
     VALUES ($1, $2, $3, $4, $5, $6, 0, 0)`,
    ...[project, digest, stored.file, size, stored.contentType, command.at],
  )
  return { isUsed: true, contentType: stored.contentType }
}

interface Replacement {
  readonly digest: Uint8Array
  /** The names of the files in the store. */
  readonly damaged: string
  readonly whole: string
}

/** The damaged bytes are removed from the store afterwards, as those of deleted reports are. */
function* replaceFile(project: number, { digest, damaged, whole }: Replacement): Operation<void> {
  yield* send(
    'UPDATE files SET object = $3, is_damaged = 0 WHERE project = $1 AND digest = $2',
    project,
    digest,
    whole,
  )
  yield* send('INSERT INTO removed_files (object) VALUES ($1) ON CONFLICT DO NOTHING', damaged)
}

/** Files that were received, of reports from `$3` and before `$4`. */
export const SELECT_RECEIVED = forBoth(
  ({ isKey, byIndex }) =>
    `SELECT r.number FROM attachments r ${byIndex('received_attachments')}
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.number >= $3 AND r.number < $4 AND r.received_at IS NOT NULL
     ORDER BY r.number`,
)
/** Releases the files of reports that are neither among the first nor among the latest. */
function* releaseOmitted(project: number, { issueNumber, lastReport }: FoundDeclaration): Operation<void> {
  const [from, before] = numbersNotKept(lastReport)
  if (before <= from) return
  const rows = yield* all<{ number: number }>(SELECT_RECEIVED, project, issueNumber, from, before)
  if (rows.length === 0) return
  yield* releaseOmittedFiles(
    project,
    issueNumber,
    rows.map(({ number }) => number),
  )
}

function* findProjectBytes(projectId: ProjectId): Operation<number> {
  const project = yield* one<{ file_bytes: number }>(SEQ_OF, storedId(projectId))
  return project?.file_bytes ?? 0
}

const BY_ID = selectAttachments(({ isAfter }) => `${isAfter('r.issue_number', '$1', '0')} AND r.id = $2`)

function* findAttachment(projectId: ProjectId, id: AttachmentId): Operation<AttachmentRecord | undefined> {
  const project = yield* one<{ seq: number }>(SEQ_OF, storedId(projectId))
  if (project === undefined) return undefined
  const row = yield* one<AttachmentRow>(BY_ID, project.seq, storedId(id))
  return row && toAttachment(row)
}

const SELECT_NAMES = forBoth(
  ({ isAfter, isIdIn, byIndex }) =>
    `SELECT r.id, r.name FROM attachments r ${byIndex('attachments_by_id')}
     WHERE ${isAfter('r.issue_number', '$1', '0')} AND ${isIdIn('r.id', '$2')}`,
)

function* findAttachmentNames(
  projectId: ProjectId,
  ids: readonly AttachmentId[],
): Operation<readonly (readonly [AttachmentId, string])[]> {
  const project = yield* one<{ seq: number }>(SEQ_OF, storedId(projectId))
  if (project === undefined) return []
  const rows = yield* all<Pick<AttachmentRow, 'id' | 'name'>>(
    SELECT_NAMES,
    project.seq,
    new List(ids.map(storedId)),
  )
  return rows.map(({ id, name }) => [readId('att', id), name] as const)
}

const OF_ISSUE = selectAttachments(
  ({ isKey }) =>
    `${isKey('r.issue_number', '$1', '$2')} AND r.number >= 0 AND r.number < $3
     ORDER BY r.number DESC LIMIT $4`,
)

function* listAttachments(listing: AttachmentListing): Operation<readonly AttachmentRecord[]> {
  const project = yield* one<{ seq: number }>(SEQ_OF, storedId(listing.projectId))
  if (project === undefined) return []
  const { issueNumber, afterNumber, limit } = listing
  // Read backwards, with the whole report of the page before. The last report may be incomplete, and is not needed.
  const before = attachmentNumber(reportNumberOf(afterNumber) + 1, 0)
  const rows = yield* all<AttachmentRow>(
    OF_ISSUE,
    ...[project.seq, issueNumber, before, limit + 2 * PLACES_PER_REPORT],
  )
  return rows
    .filter(({ number }) => isShownAfter(number, afterNumber))
    .sort((one, other) => (isShownAfter(one.number, other.number) ? 1 : -1))
    .slice(0, limit)
    .map(toAttachment)
}

/** `CROSS JOIN` and `LATERAL` make both databases look up the files report by report: an issue may have any number. */
const OF_REPORTS: Texts = {
  sqlite: `${SELECTED.sqlite} FROM json_each($3) q CROSS JOIN attachments r
      ON r.issue_row = ($1 << 32) + $2 AND r.number >= q.value * ${PLACES_PER_REPORT} AND r.number < (q.value + 1) * ${PLACES_PER_REPORT}
    ${WITH_FILE.sqlite} ORDER BY r.number`,
  postgres: `${SELECTED.postgres} FROM unnest($3::bigint[]) q (report) CROSS JOIN LATERAL
      (SELECT * FROM attachments WHERE project = $1 AND issue_number = $2
         AND number >= q.report * ${PLACES_PER_REPORT} AND number < (q.report + 1) * ${PLACES_PER_REPORT}
       ORDER BY number LIMIT ${PLACES_PER_REPORT}) r
    ${WITH_FILE.postgres} ORDER BY r.number`,
}

function* listOfReports(listing: ReportFilesListing): Operation<readonly AttachmentRecord[]> {
  const project = yield* one<{ seq: number }>(SEQ_OF, storedId(listing.projectId))
  if (project === undefined) return []
  const { issueNumber, reportNumbers } = listing
  const rows = yield* all<AttachmentRow>(OF_REPORTS, project.seq, issueNumber, new List(reportNumbers))
  return rows.map(toAttachment)
}

function digestOf({ sha256 }: Pick<DeclarationPlace, 'sha256'>): Uint8Array {
  return Buffer.from(sha256, 'hex')
}
