import type { CommentRecord } from '../../../model/comments/comments.ts'
import {
  type AttachmentRecord,
  commentFileNumber,
  type NewAttachment,
  PLACES_PER_REPORT,
  placeInComment,
} from '../../../model/reports/attachments.ts'
import { nameForType } from '../../../model/reports/file-names.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { SUSPECT_FILES } from '../../issues/reports/suspect-files.ts'
import { all, List, type Operation, send, storedId } from '../../operations.ts'
import { type AttachmentRow, SELECTED, toAttachment, WITH_FILE } from './attachment-rows.ts'

/** A comment, by its numbers. */
type CommentKey = Pick<CommentRecord, 'issueNumber' | 'number'>

/** `CROSS JOIN` and `LATERAL` make both databases look up the files comment by comment. */
const OF_COMMENTS: Texts = {
  sqlite: `${SELECTED.sqlite} FROM json_each($2) k CROSS JOIN attachments r
      ON r.issue_row = ($1 << 32) + k.value
        AND r.number > -(json_extract($3, '$[' || k.key || ']') + 1) * ${PLACES_PER_REPORT}
        AND r.number <= -json_extract($3, '$[' || k.key || ']') * ${PLACES_PER_REPORT}
    ${WITH_FILE.sqlite} ORDER BY r.issue_row, r.number DESC`,
  postgres: `${SELECTED.postgres} FROM unnest($2::bigint[], $3::bigint[]) k (issue_number, comment) CROSS JOIN LATERAL
      (SELECT * FROM attachments WHERE project = $1 AND issue_number = k.issue_number
         AND number > -(k.comment + 1) * ${PLACES_PER_REPORT} AND number <= -k.comment * ${PLACES_PER_REPORT}
       ORDER BY number DESC LIMIT ${PLACES_PER_REPORT}) r
    ${WITH_FILE.postgres} ORDER BY r.issue_number, r.number DESC`,
}

/** The files of comments, in the order they were added. */
export function* listCommentFiles(
  project: number,
  comments: readonly CommentKey[],
): Operation<readonly AttachmentRecord[]> {
  // Several events may be about the same comment.
  const distinct = [...new Map(comments.map((one) => [`${one.issueNumber} ${one.number}`, one])).values()]
  if (distinct.length === 0) return []
  const rows = yield* all<AttachmentRow>(
    OF_COMMENTS,
    project,
    new List(distinct.map(({ issueNumber }) => issueNumber)),
    new List(distinct.map(({ number }) => number)),
  )
  return rows.map(toAttachment)
}

const INSERT: Texts = {
  postgres: `INSERT INTO attachments (project, issue_number, number, id, digest, name, declared_type, size)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  sqlite: `INSERT INTO attachments (issue_row, number, id, digest, name, declared_type, size)
    VALUES (($1 << 32) + $2, $3, $4, $5, $6, $7, $8)`,
}

/** Stores the declarations of files, in the places that are free. */
export function* addCommentFiles(
  project: number,
  { issueNumber, number: comment }: CommentKey,
  files: readonly NewAttachment[],
  taken: readonly AttachmentRecord[] = [],
): Operation<readonly AttachmentRecord[]> {
  const used = new Set(taken.map(({ number }) => placeInComment(number)))
  const free = Array.from({ length: PLACES_PER_REPORT }, (_, place) => place).filter(
    (place) => !used.has(place),
  )
  const added: AttachmentRecord[] = []
  for (const [index, file] of files.entries()) {
    const number = commentFileNumber(comment, free[index] ?? PLACES_PER_REPORT)
    const { id, sha256, name, declaredType, size } = file
    const values = [number, storedId(id), Buffer.from(sha256, 'hex'), name, declaredType, size]
    yield* send(INSERT, project, issueNumber, ...values)
    const pending = { receivedAt: null, contentType: null, file: null, isDamaged: false }
    added.push({ ...file, ...pending, issueNumber, reportNumber: 0, number })
  }
  return added
}

const DELETE = forBoth(
  ({ isKey, isIn }) =>
    `DELETE FROM attachments AS r WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${isIn('r.number', '$3')}`,
)

/** Their bytes are removed afterwards, unless something else has the same. */
export function* removeCommentFiles(
  project: number,
  issueNumber: number,
  files: readonly AttachmentRecord[],
): Operation<void> {
  if (files.length === 0) return
  const numbers = new List(files.map(({ number }) => number))
  yield* send(SUSPECT_FILES, project, issueNumber, numbers)
  yield* send(DELETE, project, issueNumber, numbers)
}

/** Replaces the files of a comment. Those that have the same name and the same bytes stay as they are. */
export function* replaceCommentFiles(
  project: number,
  comment: CommentKey,
  before: readonly AttachmentRecord[],
  wanted: readonly NewAttachment[],
): Operation<readonly AttachmentRecord[] | 'unchanged'> {
  const rest = [...before]
  const kept: AttachmentRecord[] = []
  const added = wanted.filter(({ name, sha256 }) => {
    // What was received may be named after its type.
    const index = rest.findIndex(
      (file) => file.sha256 === sha256 && file.name === nameForType(name, file.contentType),
    )
    if (index < 0) return true
    kept.push(...rest.splice(index, 1))
    return false
  })
  if (rest.length === 0 && added.length === 0) return 'unchanged'
  yield* removeCommentFiles(project, comment.issueNumber, rest)
  const files = [...kept, ...(yield* addCommentFiles(project, comment, added, kept))]
  return files.sort((one, other) => other.number - one.number)
}
