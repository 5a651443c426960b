import { type AttachmentRecord, reportNumberOf } from '../../../model/reports/attachments.ts'
import { nameForType } from '../../../model/reports/file-names.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { readId } from '../../operations.ts'

export interface AttachmentRow {
  readonly issue_number: number
  readonly number: number
  readonly id: unknown
  readonly digest: Uint8Array
  readonly name: string
  readonly declared_type: string
  readonly size: number
  readonly received_at: number | null
  readonly omitted: AttachmentRecord['omitted']
  readonly content_type: string | null
  readonly object: AttachmentRecord['file']
  readonly is_damaged: number | null
}

/** The columns of attachments `r` and their files `f`. */
export const SELECTED = forBoth(
  ({ numberIn }) =>
    `SELECT ${numberIn('r.issue_number')} AS issue_number, r.number, r.id, r.digest, r.name, r.declared_type,
       r.size, r.received_at, r.omitted, f.content_type, f.object, f.is_damaged`,
)
/** The files of attachments `r`, in the project `$1`. */
export const WITH_FILE: Texts = {
  sqlite: 'LEFT JOIN files f ON f.project = $1 AND f.digest = r.digest AND r.received_at IS NOT NULL',
  // A range and an order leave PostgreSQL only one index; while the table is empty, all seem equally good.
  postgres: `LEFT JOIN LATERAL (SELECT content_type, object, is_damaged FROM files WHERE project = $1
      AND digest BETWEEN r.digest AND r.digest ORDER BY digest LIMIT 1) f ON r.received_at IS NOT NULL`,
}

/** Attachments `r` with their files that meet a condition. */
export function selectAttachments(write: (dialect: Dialect) => string): Texts {
  const conditions = forBoth(write)
  return {
    sqlite: `${SELECTED.sqlite} FROM attachments r ${WITH_FILE.sqlite} WHERE ${conditions.sqlite}`,
    postgres: `${SELECTED.postgres} FROM attachments r ${WITH_FILE.postgres} WHERE ${conditions.postgres}`,
  }
}

export function toAttachment(row: AttachmentRow): AttachmentRecord {
  return {
    id: readId('att', row.id),
    issueNumber: row.issue_number,
    reportNumber: reportNumberOf(row.number),
    number: row.number,
    name: nameForType(row.name, row.content_type),
    declaredType: row.declared_type,
    size: row.size,
    sha256: Buffer.from(row.digest).toString('hex'),
    receivedAt: row.received_at,
    omitted: row.omitted,
    contentType: row.content_type,
    file: row.object,
    isDamaged: row.is_damaged === 1,
  }
}
