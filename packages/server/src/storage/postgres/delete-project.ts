import type { ProjectId } from '../../model/ids.ts'
import { touchCatalog } from './catalog.ts'
import type { Transaction } from './connection.ts'
import { uuidOf } from './uuids.ts'

/** Rows removed in one step, so that a step is short and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

/** The tables that may hold much of a project, besides its issues and what is searched of them. */
const GROWING_TABLES = ['events', 'reports', 'report_days', 'submissions', 'deliveries', 'attempts'] as const

export async function deleteProject(
  tx: Transaction,
  id: ProjectId,
): Promise<{ removedIssues: number; isFinished: boolean }> {
  const [project] = await tx.run<{ seq: number }>({
    text: 'UPDATE projects SET slug = NULL WHERE id = $1 RETURNING seq',
    values: [uuidOf(id)],
  })
  if (project === undefined) return { removedIssues: 0, isFinished: true }
  const { seq } = project
  for (const table of ['keys', 'webhooks']) {
    tx.send({ text: `DELETE FROM ${table} WHERE project = $1`, values: [seq] })
  }
  touchCatalog(tx)
  const [removedIssues, ...others] = await Promise.all([
    removeSomeIssues(tx, seq),
    ...GROWING_TABLES.map((table) => removeSome(tx, table, seq)),
  ])
  if ([removedIssues, ...others].some((rows) => rows !== 0)) return { removedIssues, isFinished: false }
  tx.send({ text: 'DELETE FROM counters WHERE project = $1', values: [seq] })
  tx.send({ text: 'DELETE FROM projects WHERE seq = $1', values: [seq] })
  return { removedIssues, isFinished: true }
}

async function removeSomeIssues(tx: Transaction, seq: number): Promise<number> {
  const rows = await tx.run<{ number: number }>({
    text: 'SELECT number FROM issues WHERE project = $1 ORDER BY number LIMIT $2',
    values: [seq, DELETE_STEP_ROWS],
  })
  const numbers = rows.map(({ number }) => number)
  for (const table of ['search', 'issues']) {
    tx.send({ text: `DELETE FROM ${table} WHERE project = $1 AND number = ANY ($2)`, values: [seq, numbers] })
  }
  return numbers.length
}

async function removeSome(tx: Transaction, table: string, seq: number): Promise<number> {
  const [row] = await tx.run<{ rows: number }>({
    text: `WITH removed AS (DELETE FROM ${table} WHERE project = $1
        AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE project = $1 LIMIT $2)) RETURNING 1)
      SELECT count(*) AS rows FROM removed`,
    values: [seq, DELETE_STEP_ROWS],
  })
  return row?.rows ?? 0
}
