import { MAX_LABELS } from '@bugle/contract/vocabulary'
import { type AuditStamp, changesBetween } from '../../../model/audit-log.ts'
import type { ProjectId } from '../../../model/ids.ts'
import {
  type DeletedLabel,
  type LabelChange,
  type LabelRecord,
  labelKey,
  type NewLabel,
  revisionOfLabel,
} from '../../../model/labels.ts'
import { forBoth, SEQ, type Texts } from '../../dialects.ts'
import {
  all,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
  storedSeq,
  touchCatalog,
} from '../../operations.ts'
import type { IssuePlace } from '../../ports/issues.ts'
import type { LabelStorage } from '../../ports/projects.ts'
import { LABELS } from '../../tables/projects.ts'
import { type Acting, recordChange } from '../audit-log.ts'

export function labelStorage({ read, write }: Operations, acting: Acting): LabelStorage {
  return {
    create: (label) => write(createLabel, label, acting()),
    list: (projectId) => read(listLabels, projectId),
    update: (projectId, name, changes, ifRevision: string | null = null) =>
      write(updateLabel, { projectId, name, changes, ifRevision }, acting()),
    delete: (projectId, name) => write(deleteLabel, { projectId, name }, acting()),
    nextDeleted: () => read(nextDeletedLabel),
    listLabelled: (label, limit) => read(listLabelled, label, limit),
    finishDeleted: (label) => write(finishDeletedLabel, label),
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_label_number: number
}

/** The project, locked until the commit: its labels are changed by one transaction at a time. */
function* lockProject(projectId: ProjectId): Operation<ProjectRow | undefined> {
  return yield* one<ProjectRow>(
    'SELECT seq, last_label_number FROM projects WHERE id = $1 AND slug IS NOT NULL FOR UPDATE',
    storedId(projectId),
  )
}

const AUDITED = ['name', 'colour'] as const

export function* createLabel(
  { projectId, ...label }: NewLabel,
  by: AuditStamp | null,
): Operation<LabelRecord | 'no-project' | 'name-taken' | 'too-many'> {
  const project = yield* lockProject(projectId)
  if (project === undefined) return 'no-project'
  const labels = yield* labelsOf(project.seq)
  if (find(labels, label.name) !== undefined) return 'name-taken'
  if (labels.length >= MAX_LABELS) return 'too-many'
  const number = project.last_label_number + 1
  const created = { ...label, number }
  yield* send('UPDATE projects SET last_label_number = $1 WHERE seq = $2', number, project.seq)
  yield* send(LABELS.insert, ...LABELS.valuesOf({ ...created, project: project.seq }))
  yield* recordChange(by, {
    action: 'label.created',
    projectId,
    subjectName: label.name,
    changes: changesBetween(null, created, AUDITED),
  })
  yield* touchCatalog()
  return created
}

interface LabelPlace {
  readonly projectId: ProjectId
  readonly name: string
}

interface LabelUpdate extends LabelPlace {
  readonly changes: LabelChange
  readonly ifRevision: string | null
}

export function* updateLabel(
  { projectId, name, changes, ifRevision }: LabelUpdate,
  by: AuditStamp | null,
): Operation<LabelRecord | 'missing' | 'name-taken' | 'stale'> {
  const project = yield* lockProject(projectId)
  const labels = project === undefined ? [] : yield* labelsOf(project.seq)
  const label = find(labels, name)
  if (project === undefined || label === undefined) return 'missing'
  if (ifRevision !== null && ifRevision !== revisionOfLabel(label)) return 'stale'
  const other = changes.name === undefined ? undefined : find(labels, changes.name)
  if (other !== undefined && other.number !== label.number) return 'name-taken'
  const changed = { ...label, ...changes }
  yield* send(LABELS.update, ...LABELS.valuesOf({ ...changed, project: project.seq }))
  const differences = changesBetween(label, changed, AUDITED)
  if (differences.length > 0) {
    const subjectName = changed.name
    yield* recordChange(by, { action: 'label.updated', projectId, subjectName, changes: differences })
  }
  yield* touchCatalog()
  return changed
}

/** No longer shown from now on. It is taken from issues in steps. */
export function* deleteLabel(
  { projectId, name }: LabelPlace,
  by: AuditStamp | null,
): Operation<'deleted' | 'missing'> {
  const project = yield* lockProject(projectId)
  const label = project && find(yield* labelsOf(project.seq), name)
  if (project === undefined || label === undefined) return 'missing'
  const key = [project.seq, label.number]
  yield* send('DELETE FROM labels WHERE project = $1 AND number = $2', ...key)
  yield* send('INSERT INTO deleted_labels (project, number) VALUES ($1, $2)', ...key)
  yield* recordChange(by, { action: 'label.deleted', projectId, subjectName: label.name })
  yield* touchCatalog()
  return 'deleted'
}

const SELECT_LABELS = forBoth(
  ({ seq }) => `SELECT * FROM labels WHERE project = ${seq('$1')} ORDER BY number`,
)

function* listLabels(projectId: ProjectId): Operation<readonly LabelRecord[]> {
  return (yield* all(SELECT_LABELS, storedSeq(projectId))).map(toLabel)
}

function* labelsOf(project: number): Operation<readonly LabelRecord[]> {
  return (yield* all('SELECT * FROM labels WHERE project = $1 ORDER BY number', project)).map(toLabel)
}

function toLabel(row: object): LabelRecord {
  const { project: _, ...label } = LABELS.recordOf(row)
  return label
}

function find(labels: readonly LabelRecord[], name: string): LabelRecord | undefined {
  return labels.find((label) => labelKey(label.name) === labelKey(name))
}

function* nextDeletedLabel(): Operation<DeletedLabel | undefined> {
  const row = yield* one<{ id: unknown; number: number }>(
    `SELECT p.id, d.number FROM deleted_labels d JOIN projects p ON p.seq = d.project AND p.slug IS NOT NULL
     ORDER BY d.project, d.number LIMIT 1`,
  )
  return row && { projectId: readId('prj', row.id), number: row.number }
}

const SELECT_LABELLED: Texts = {
  postgres: `SELECT i.id FROM issue_labels l
    CROSS JOIN LATERAL (SELECT id FROM issues WHERE project = l.project AND number = l.issue_number LIMIT 1) i
    WHERE l.project = ${SEQ.postgres} AND l.lane IN (0, 1) AND l.label = $2 LIMIT $3`,
  sqlite: `SELECT i.id FROM issue_labels l CROSS JOIN issues i ON i.row = l.issue_row
    WHERE l.issue_row >> 32 = ${SEQ.sqlite} AND l.lane IN (0, 1) AND l.label = $2 LIMIT $3`,
}

function* listLabelled({ projectId, number }: DeletedLabel, limit: number): Operation<readonly IssuePlace[]> {
  const rows = yield* all<{ id: unknown }>(SELECT_LABELLED, storedSeq(projectId), number, limit)
  return rows.map(({ id }) => ({ projectId, issueId: readId('iss', id) }))
}

const FINISH_DELETED = forBoth(
  ({ seq }) => `DELETE FROM deleted_labels WHERE project = ${seq('$1')} AND number = $2`,
)

export function* finishDeletedLabel({ projectId, number }: DeletedLabel): Operation<void> {
  yield* send(FINISH_DELETED, storedSeq(projectId), number)
}
