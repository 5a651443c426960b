import type { ProjectId } from '../../../model/ids.ts'
import type { DamageFinding } from '../../../model/reports/attachments.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { type FileName, projectNumberIn } from '../../files/file-store.ts'
import {
  all,
  change,
  List,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedSeq,
  type Value,
} from '../../operations.ts'
import type { AttachmentStorage, FilePlace, ListedFile, UsedFile } from '../../ports/attachments.ts'

/** Files examined in one step, so that a step is short. */
const RELEASE_STEP = 100

type FileStorage = Pick<
  AttachmentStorage,
  | 'releaseSome'
  | 'listRemoved'
  | 'forgetRemoved'
  | 'findOrphans'
  | 'listFiles'
  | 'giveUp'
  | 'findFile'
  | 'noteDamage'
  | 'totalBytes'
>

export function fileStorage({ read, writeInBackground }: Operations): FileStorage {
  return {
    async releaseSome(limit = RELEASE_STEP) {
      if (!(await read(hasSuspects))) return false
      return writeInBackground(releaseFiles, limit)
    },
    listRemoved: (after, limit) => read(listRemoved, after, limit),
    async forgetRemoved(names) {
      if (names.length > 0) await writeInBackground(forgetRemovedFiles, names)
    },
    findOrphans: (names) => read(findOrphans, names),
    listFiles: (after, limit) => read(listFiles, after, limit),
    async giveUp(files) {
      for (const file of files) await writeInBackground(giveUpFile, file.project, file.name)
    },
    findFile: (projectId, sha256) => read(findFile, projectId, sha256),
    noteDamage: (finding) => writeInBackground(noteDamage, finding),
    totalBytes: () => read(totalBytes),
  }
}

function* hasSuspects(): Operation<boolean> {
  return (yield* one('SELECT size FROM files WHERE is_suspect = 1 LIMIT 1')) !== undefined
}

const SELECT_REFERENCE: Texts = {
  sqlite:
    'SELECT number FROM attachments WHERE issue_row >> 32 = $1 AND digest = $2 AND received_at IS NOT NULL LIMIT 1',
  postgres:
    'SELECT number FROM attachments WHERE project = $1 AND digest = $2 AND received_at IS NOT NULL LIMIT 1',
}

interface StoredFileRow {
  readonly project: number
  readonly digest: Uint8Array
  readonly object: FileName
  readonly size: number
}

/**
 * Examines files that a deletion may have left without a report. The project is locked, as in an upload, so
 * that a file that is about to be used again is not released.
 */
export function* releaseFiles(limit: number): Operation<boolean> {
  const first = yield* one<{ project: number }>('SELECT project FROM files WHERE is_suspect = 1 LIMIT 1')
  if (first === undefined) return false
  yield* one('SELECT seq FROM projects WHERE seq = $1 FOR UPDATE', first.project)
  const suspects = yield* all<StoredFileRow>(
    'SELECT project, digest, object, size FROM files WHERE project = $1 AND is_suspect = 1 LIMIT $2',
    first.project,
    limit,
  )
  for (const { project, digest, object, size } of suspects) {
    const key: Value[] = [project, digest]
    if ((yield* one(SELECT_REFERENCE, ...key)) !== undefined) {
      yield* send('UPDATE files SET is_suspect = 0 WHERE project = $1 AND digest = $2', ...key)
      continue
    }
    yield* removeFile({ project, digest, object, size })
  }
  return true
}

function* removeFile({ project, digest, object, size }: StoredFileRow): Operation<void> {
  yield* send('DELETE FROM files WHERE project = $1 AND digest = $2', project, digest)
  yield* send('INSERT INTO removed_files (object) VALUES ($1) ON CONFLICT DO NOTHING', object)
  yield* send('UPDATE projects SET file_bytes = file_bytes - $2 WHERE seq = $1', project, size)
}

const FORGET_RECEIVED: Texts = {
  sqlite:
    'UPDATE attachments SET received_at = NULL WHERE issue_row >> 32 = $1 AND digest = $2 AND received_at IS NOT NULL',
  postgres:
    'UPDATE attachments SET received_at = NULL WHERE project = $1 AND digest = $2 AND received_at IS NOT NULL',
}

export function* giveUpFile(project: number, name: FileName): Operation<void> {
  yield* one('SELECT seq FROM projects WHERE seq = $1 FOR UPDATE', project)
  const file = yield* one<StoredFileRow>(
    'SELECT project, digest, object, size FROM files WHERE project = $1 AND object = $2',
    ...[project, name],
  )
  if (file === undefined) return
  yield* send(FORGET_RECEIVED, project, file.digest)
  yield* removeFile(file)
}

function* listRemoved(after: FileName | null, limit: number): Operation<readonly FileName[]> {
  const rows = yield* all<FileRow>(
    'SELECT object FROM removed_files WHERE object > $1 ORDER BY object LIMIT $2',
    ...[after ?? '', limit],
  )
  return rows.map(({ object }) => object)
}

const FORGET = forBoth(({ isIn }) => `DELETE FROM removed_files WHERE ${isIn('object', '$1')}`)

export function* forgetRemovedFiles(names: readonly FileName[]): Operation<void> {
  yield* send(FORGET, new List(names))
}

const SELECT_KNOWN = forBoth(
  ({ isIn }) => `SELECT object FROM files WHERE project = $1 AND ${isIn('object', '$2')}`,
)

/**
 * Files of a project that was deleted here belong to nothing. Those of other projects that this database does not have are
 * not its own: another installation may share the store.
 */
function* findOrphans(names: readonly FileName[]): Operation<readonly FileName[]> {
  const orphans: FileName[] = []
  for (const [projectNumber, ofProject] of Map.groupBy(names, projectNumberIn)) {
    const project = yield* one<{ seq: number }>('SELECT seq FROM projects WHERE ordinal = $1', projectNumber)
    if (project === undefined) {
      if (yield* one('SELECT ordinal FROM deleted_projects WHERE ordinal = $1', projectNumber))
        orphans.push(...ofProject)
      continue
    }
    const rows = yield* all<FileRow>(SELECT_KNOWN, project.seq, new List(ofProject))
    const known = new Set(rows.map(({ object }) => object))
    orphans.push(...ofProject.filter((name) => !known.has(name)))
  }
  return orphans
}

function* listFiles(after: FilePlace | null, limit: number): Operation<readonly ListedFile[]> {
  const rows = yield* all<StoredFileRow & { readonly project_id: unknown; readonly is_damaged: number }>(
    `SELECT project, digest, object, size, is_damaged, (SELECT id FROM projects WHERE seq = project) AS project_id
     FROM files WHERE (project, object) > ($1, $2) ORDER BY project, object LIMIT $3`,
    ...[after?.project ?? -1, after?.name ?? '', limit],
  )
  return rows.map(({ project, digest, object: name, size, ...row }) => {
    const sha256 = Buffer.from(digest).toString('hex')
    const projectId = readId('prj', row.project_id)
    return { project, projectId, name, size, sha256, isDamaged: row.is_damaged === 1 }
  })
}

const SELECT_USE: Texts = {
  sqlite: `SELECT name, issue_row & ${2 ** 32 - 1} AS issue_number FROM attachments
    WHERE issue_row >> 32 = $1 AND digest = $2 AND received_at IS NOT NULL LIMIT 1`,
  postgres: `SELECT name, issue_number FROM attachments
    WHERE project = $1 AND digest = $2 AND received_at IS NOT NULL LIMIT 1`,
}

const SELECT_FILE = forBoth(
  ({ seq }) => `SELECT project, object FROM files WHERE project = ${seq('$1')} AND digest = $2`,
)

function* findFile(projectId: ProjectId, sha256: string): Operation<UsedFile | undefined> {
  const digest = Buffer.from(sha256, 'hex')
  const file = yield* one<{ project: number; object: FileName }>(SELECT_FILE, storedSeq(projectId), digest)
  if (file === undefined) return undefined
  const use = yield* one<{ name: string; issue_number: number }>(SELECT_USE, file.project, digest)
  const usedBy = use === undefined ? null : { issueNumber: use.issue_number, attachmentName: use.name }
  return { name: file.object, usedBy }
}

const NOTE_DAMAGE = forBoth(
  ({ seq }) =>
    `UPDATE files SET is_damaged = $4 WHERE project = ${seq('$1')} AND digest = $2 AND object = $3 AND coalesce(is_damaged, 0) <> $4`,
)

export function* noteDamage({ projectId, sha256, file, isDamaged }: DamageFinding): Operation<boolean> {
  const values = [Buffer.from(sha256, 'hex'), file, isDamaged ? 1 : 0]
  return (yield* change(NOTE_DAMAGE, storedSeq(projectId), ...values)) > 0
}

function* totalBytes(): Operation<number> {
  const row = yield* one<{ bytes: number }>(
    'SELECT CAST(coalesce(sum(file_bytes), 0) AS bigint) AS bytes FROM projects',
  )
  return row?.bytes ?? 0
}

interface FileRow {
  readonly object: FileName
}
