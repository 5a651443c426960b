import { MAX_ISSUE_COMMENTS } from '@bugle/contract/vocabulary'
import {
  type ChangeCommentOutcome,
  type CommentChange,
  type CommentCommand,
  type CommentDeletion,
  type CommentListing,
  type CommentPlace,
  type CommentRecord,
  type CreateCommentOutcome,
  type DeleteCommentOutcome,
  hashComment,
  type NewComment,
} from '../../../model/comments/comments.ts'
import type { Mention, MentionedPerson } from '../../../model/comments/mentions.ts'
import type { NewEvent } from '../../../model/events.ts'
import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import { type AttachmentRecord, numbersOfComment } from '../../../model/reports/attachments.ts'
import { FIRST_REPORT } from '../../../model/reports/reports.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import type { Stamp } from '../../issues/issue-tables.ts'
import { laneOfCode } from '../../issues/lane-codes.ts'
import { all, List, type Operation, type Operations, one, send, storedId } from '../../operations.ts'
import type { CommentStorage } from '../../ports/comments.ts'
import { findSeq, lockProject } from '../projects.ts'
import { restoreConversation, waitForReporter, waitForTeam } from '../reporters/conversation-state.ts'
import {
  addCommentFiles,
  listCommentFiles,
  removeCommentFiles,
  replaceCommentFiles,
} from './comment-files.ts'
import { addEvent } from './event-log.ts'

export function commentStorage(
  { read, write }: Operations,
  announce: (projectId: ProjectId) => void,
): CommentStorage {
  async function announcing<T>({ projectId }: CommentCommand, writing: Promise<T>): Promise<T> {
    const outcome = await writing
    announce(projectId)
    return outcome
  }
  return {
    create: (comment) => announcing(comment, write(createComment, comment)),
    change: (command) => announcing(command, write(changeComment, command)),
    delete: (command) => announcing(command, write(deleteComment, command)),
    list: (listing) => read(listComments, listing),
    findSome: (projectId, places) => read(findComments, projectId, places),
  }
}

export function commentColumns({ numberIn }: Dialect): string {
  return `${numberIn('r.issue_number')} AS issue_number, r.number, r.id, r.author, r.audience, r.report_number,
    r.text, r.mentions, r.created_at, r.edited_at`
}

export interface CommentRow {
  readonly issue_number: number
  readonly number: number
  readonly id: string
  readonly author: CommentRecord['author']
  readonly audience: CommentRecord['audience']
  readonly report_number: number | null
  /** `null`: the comment was deleted. Its id stays in use, so that a late retry does not restore it. */
  readonly text: string | null
  /** JSON; `null`: none. */
  readonly mentions: string | null
  readonly created_at: number
  readonly edited_at: number | null
}

/** Without its files. */
export function toRecord(row: CommentRow): CommentRecord {
  const { number, id, author, audience, text, mentions } = row
  return {
    issueNumber: row.issue_number,
    number,
    id,
    author,
    audience,
    reportNumber: row.report_number,
    text: text ?? '',
    mentions: mentions === null ? [] : (JSON.parse(mentions) as readonly Mention[]),
    attachments: [],
    createdAt: row.created_at,
    editedAt: row.edited_at,
  }
}

// A range and an order leave PostgreSQL only one index; while a table is empty, all seem equally good.
const SELECT_ISSUE: Texts = {
  postgres:
    'SELECT i.number, i.lane, i.message_count FROM issues i WHERE i.project = $1 AND i.id BETWEEN $2 AND $2 ORDER BY i.id LIMIT 1',
  // `+`: the issue is found only by its id.
  sqlite:
    'SELECT i.row & 4294967295 AS number, i.lane, i.message_count FROM issues i WHERE i.id = $2 AND +i.row >> 32 = $1',
}

/** The issue of a comment that is being written. The project is locked first, as by every commit. */
export interface Place {
  readonly project: number
  readonly issueNumber: number
  readonly lane: Lane
  /** The messages from reporters that the issue ever had. */
  readonly messageCount: number
}

export function* lockPlace({
  projectId,
  issueId,
  lanes,
}: Pick<CommentCommand, 'projectId' | 'issueId' | 'lanes'>): Operation<Place | undefined> {
  const project = yield* lockProject(projectId)
  if (project === undefined) return undefined
  const row = yield* one<IssueRow>(SELECT_ISSUE, project, storedId(issueId))
  if (row === undefined) return undefined
  const lane = laneOfCode(row.lane)
  if (!lanes.includes(lane)) return undefined
  return { project, issueNumber: row.number, lane, messageCount: row.message_count ?? 0 }
}

interface IssueRow {
  readonly number: number
  readonly lane: number
  readonly message_count: number | null
}

const SELECT_BY_ID = forBoth(
  (dialect) =>
    `SELECT ${commentColumns(dialect)}, r.content_hash FROM comments r
     WHERE ${dialect.isKey('r.issue_number', '$1', '$2')} AND r.id BETWEEN $3 AND $3 ORDER BY r.id LIMIT 1`,
)
const SELECT_LAST = forBoth(
  ({ isKey, orderOf }) =>
    `SELECT r.number FROM comments r WHERE ${isKey('r.issue_number', '$1', '$2')}
     ORDER BY ${orderOf('r.issue_number')} DESC, r.number DESC LIMIT 1`,
)
const INSERT: Texts = {
  postgres: `INSERT INTO comments
      (project, issue_number, number, id, author, audience, report_number, last_report, text, mentions, content_hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  sqlite: `INSERT INTO comments
      (issue_row, number, id, author, audience, report_number, last_report, text, mentions, content_hash, created_at)
    VALUES (($1 << 32) + $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}
const SELECT_LAST_REPORT = forBoth(
  ({ isKey, orderOf }) =>
    `SELECT r.number FROM reports r WHERE ${isKey('r.issue_number', '$1', '$2')}
     ORDER BY ${orderOf('r.issue_number')} DESC, r.number DESC LIMIT 1`,
)
export const COUNT_COMMENTS = forBoth(
  ({ isKey }) =>
    `UPDATE issues AS i SET comment_count = nullif(coalesce(i.comment_count, 0) + $3::integer, 0)
     WHERE ${isKey('i.number', '$1', '$2')}`,
)

/** Stores a comment once per id, with an event. */
export function* createComment(comment: NewComment): Operation<CreateCommentOutcome> {
  const place = yield* lockPlace(comment)
  if (place === undefined) return { kind: 'missing' }
  const { audience } = comment
  const known = yield* findOne(place, comment.commentId)
  if (known !== undefined) {
    const isSame = known.text !== null && hexOf(known.content_hash) === hashComment(comment)
    return isSame
      ? { kind: 'replayed', comment: yield* readComment(place.project, known) }
      : { kind: 'conflict' }
  }
  const number = yield* nextNumber(place)
  if (number - place.messageCount > MAX_ISSUE_COMMENTS) return { kind: 'too-many' }
  const isToAll = audience === 'reporters' && (comment.reportNumber ?? null) === null
  const lastReport = isToAll ? yield* lastReportOf(place) : null
  const created = yield* insertComment(place, { ...comment, number, lastReport })
  if (audience === 'reporters') yield* waitForReporter(place)
  return { kind: 'created', comment: created }
}

/** Stores a message from a reporter. The caller has checked that one of the issue's reports is theirs. */
export function* insertMessage(
  place: Place,
  message: Omit<InsertedComment, 'number' | 'lastReport'>,
): Operation<CommentRecord> {
  const number = yield* nextNumber(place)
  yield* waitForTeam(place)
  return yield* insertComment(place, { ...message, number, lastReport: null })
}

interface InsertedComment extends Omit<NewComment, 'projectId' | 'issueId' | 'lanes'> {
  readonly number: number
  /** Of a reply to all reporters: the last report that it reaches. */
  readonly lastReport: number | null
}

function* insertComment(place: Place, comment: InsertedComment): Operation<CommentRecord> {
  const { project, issueNumber, lane } = place
  const { commentId: id, actor: author, audience, text, at, number, lastReport } = comment
  const { reportNumber = null } = comment
  const mentions = mentionsIn(lane, comment.mentioned)
  const hash = Buffer.from(hashComment(comment), 'hex')
  const values = [number, id, author, audience, reportNumber, lastReport]
  yield* send(INSERT, project, issueNumber, ...values, text, storedMentions(mentions), hash, at)
  yield* send(COUNT_COMMENTS, project, issueNumber, 1)
  const attachments = yield* addCommentFiles(project, { issueNumber, number }, comment.attachments ?? [])
  yield* record(place, comment, { type: 'comment.created', from: null, to: id })
  const written = { issueNumber, number, id, author, audience, reportNumber, text, mentions, attachments }
  return { ...written, createdAt: at, editedAt: null }
}

function* nextNumber({ project, issueNumber }: Place): Operation<number> {
  const last = yield* one<{ number: number }>(SELECT_LAST, project, issueNumber)
  return (last?.number ?? 0) + 1
}

function* lastReportOf({ project, issueNumber }: Place): Operation<number> {
  const last = yield* one<{ number: number }>(SELECT_LAST_REPORT, project, issueNumber)
  return last?.number ?? FIRST_REPORT
}

const UPDATE = forBoth(
  ({ isKey }) =>
    `UPDATE comments AS r SET text = $4, mentions = $5, edited_at = $6
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.number = $3`,
)

/** Replaces the text or the files. The earlier ones are not kept. */
export function* changeComment(command: CommentChange): Operation<ChangeCommentOutcome> {
  const place = yield* lockPlace(command)
  const known = place && (yield* findOne(place, command.commentId))
  if (place === undefined || known === undefined || known.text === null) return { kind: 'missing' }
  if (known.author !== command.actor) return { kind: 'not-author' }
  const { project, issueNumber } = place
  const before = yield* readComment(project, known)
  const wanted = command.attachments ?? null
  const files =
    wanted === null ? 'unchanged' : yield* replaceCommentFiles(project, before, before.attachments, wanted)
  const text = command.text ?? before.text
  if (text === before.text && files === 'unchanged') return { kind: 'unchanged', comment: before }
  const mentions = command.text === null ? before.mentions : mentionsIn(place.lane, command.mentioned)
  yield* send(UPDATE, project, issueNumber, known.number, text, storedMentions(mentions), command.at)
  yield* record(place, command, { type: 'comment.updated', from: known.id, to: known.id })
  const attachments = files === 'unchanged' ? before.attachments : files
  return { kind: 'changed', comment: { ...before, text, mentions, attachments, editedAt: command.at } }
}

const ERASE = forBoth(
  ({ isKey }) =>
    `UPDATE comments AS r SET text = NULL, mentions = NULL, content_hash = NULL
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.number = $3`,
)

/** Removes everything that was written. Events refer to a comment and do not contain it. */
export function* deleteComment(command: CommentDeletion): Operation<DeleteCommentOutcome> {
  const place = yield* lockPlace(command)
  const known = place && (yield* findOne(place, command.commentId))
  if (place === undefined || known === undefined || known.text === null) return 'missing'
  if (known.author !== command.actor && !command.mayDeleteAny) return 'not-author'
  const { attachments } = yield* readComment(place.project, known)
  yield* removeCommentFiles(place.project, place.issueNumber, attachments)
  yield* send(ERASE, place.project, place.issueNumber, known.number)
  yield* send(COUNT_COMMENTS, place.project, place.issueNumber, -1)
  if (known.audience === 'reporters' || known.report_number !== null) yield* restoreConversation(place)
  yield* record(place, command, { type: 'comment.deleted', from: known.id, to: null })
  return 'deleted'
}

function* readComment(project: number, row: CommentRow): Operation<CommentRecord> {
  const comment = toRecord(row)
  return { ...comment, attachments: yield* listCommentFiles(project, [comment]) }
}

/** Comments with their files. */
function* readComments(project: number, rows: readonly CommentRow[]): Operation<readonly CommentRecord[]> {
  const comments = rows.map(toRecord)
  const files = yield* listCommentFiles(project, comments)
  if (files.length === 0) return comments
  return comments.map((comment) => ({
    ...comment,
    attachments: files.filter((file) => isFileOf(file, comment)),
  }))
}

function isFileOf({ issueNumber, number }: AttachmentRecord, comment: CommentRecord): boolean {
  const [from, before] = numbersOfComment(comment.number)
  return issueNumber === comment.issueNumber && number >= from && number < before
}

type StoredComment = CommentRow & { readonly content_hash: Uint8Array | null }

export function* findOne({ project, issueNumber }: Place, id: string): Operation<StoredComment | undefined> {
  return yield* one<StoredComment>(SELECT_BY_ID, project, issueNumber, id)
}

interface Step extends Pick<NewEvent, 'type'> {
  readonly from: string | null
  readonly to: string | null
}

function* record(
  { project, issueNumber, lane }: Place,
  by: Stamp,
  { type, from, to }: Step,
): Operation<void> {
  const event = { type, changes: [{ member: 'comment', from, to }], note: null, reason: null }
  yield* addEvent(project, { event, lane, by, issueNumber })
}

/** Without people who may not see the issue: its lane may have changed since they were looked up. */
function mentionsIn(lane: Lane, mentioned: readonly MentionedPerson[]): readonly Mention[] {
  return mentioned
    .filter(({ canSeeSecurity }) => lane === 'open' || canSeeSecurity)
    .map(({ id, name }) => ({ id, name }))
}

function storedMentions(mentions: readonly Mention[]): string | null {
  return mentions.length === 0 ? null : JSON.stringify(mentions)
}

export function hexOf(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('hex')
}

const SELECT_PAGE = forBoth(
  (dialect) =>
    `SELECT ${commentColumns(dialect)} FROM comments r
     WHERE ${dialect.isKey('r.issue_number', '$1', '$2')} AND r.number > $3::bigint AND r.text IS NOT NULL
     ORDER BY ${dialect.orderOf('r.issue_number')}, r.number LIMIT $4`,
)

/** The comments of an issue, oldest first. */
function* listComments(listing: CommentListing): Operation<readonly CommentRecord[]> {
  const project = yield* findSeq(listing.projectId)
  if (project === undefined) return []
  const { issueNumber, afterNumber, limit } = listing
  const rows = yield* all<CommentRow>(SELECT_PAGE, project, issueNumber, afterNumber, limit)
  return yield* readComments(project, rows)
}

const SELECT_SOME: Texts = {
  postgres: `SELECT r.issue_number, r.number, r.id, r.author, r.audience, r.report_number, r.text, r.mentions,
      r.created_at, r.edited_at
    FROM unnest($2::integer[], $3::text[]) AS k (issue_number, id)
    CROSS JOIN LATERAL (SELECT * FROM comments WHERE project = $1 AND issue_number = k.issue_number
      AND id BETWEEN k.id AND k.id ORDER BY id LIMIT 1) r
    WHERE r.text IS NOT NULL`,
  sqlite: `SELECT r.issue_row & 4294967295 AS issue_number, r.number, r.id, r.author, r.audience, r.report_number, r.text,
      r.mentions, r.created_at, r.edited_at
    FROM json_each($2) k CROSS JOIN comments r
      ON r.issue_row = ($1 << 32) + k.value AND r.id = json_extract($3, '$[' || k.key || ']')
    WHERE r.text IS NOT NULL`,
}

/** Comments of several issues; those that were deleted are missing. */
function* findComments(
  projectId: ProjectId,
  places: readonly CommentPlace[],
): Operation<readonly CommentRecord[]> {
  const project = yield* findSeq(projectId)
  if (project === undefined || places.length === 0) return []
  const rows = yield* all<CommentRow>(
    SELECT_SOME,
    project,
    new List(places.map(({ issueNumber }) => issueNumber)),
    new List(places.map(({ id }) => id)),
  )
  return yield* readComments(project, rows)
}
