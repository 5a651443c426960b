import { type ProjectId, projectNumberOf } from '../../model/ids.ts'
import type { TransferLine } from '../../model/transfer/lines.ts'
import type { TransferSnapshot } from '../transfer.ts'
import type { Condition, LineTable, Row, Run } from './transfer-rows.ts'

/** The number of rows read at a time, which are in memory together. */
const PAGE_ROWS = 500

interface Tables {
  readonly project: LineTable
  readonly projectTables: readonly LineTable[]
  readonly instanceTables: readonly LineTable[]
}

type Extent = Pick<TransferSnapshot, 'extent' | 'fileBytes'>

/** Reads all tables, page by page along their keys, in the order of the file. */
export function createTransferReads({ project, projectTables, instanceTables }: Tables) {
  /** The active projects, in order of creation, one at a time. */
  async function* projects(run: Run, id: ProjectId | null): AsyncGenerator<Row & { readonly seq: number }> {
    const { text, values } = inService(id)
    for (let last = 0; ; ) {
      const [row] = await run(
        `SELECT seq, ${project.columns.join(', ')} FROM ${project.source} WHERE ${text} AND seq > ? ORDER BY seq LIMIT 1`,
        [...values, last],
      )
      if (row === undefined) return
      last = row['seq'] as number
      yield { ...row, seq: last }
    }
  }

  async function* pages(
    run: Run,
    table: LineTable,
    seq: number | null,
  ): AsyncGenerator<readonly TransferLine[]> {
    for (let after: readonly unknown[] | null = null; ; ) {
      const conditions = table.pageConditions(seq, after)
      const rows: readonly Row[] = await run(
        `SELECT ${table.columns.join(', ')} FROM ${table.source}
         WHERE ${conditions.map(({ text }) => text).join(' AND ') || 'TRUE'}
         ORDER BY ${table.keyColumns.join(', ')} LIMIT ${PAGE_ROWS}`,
        conditions.flatMap(({ values }) => values),
      )
      if (rows.length > 0) yield rows.map(table.toLine)
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE_ROWS) return
      after = table.keyColumns.map((column) => last[column])
    }
  }

  return {
    async extent(run: Run, projectId: ProjectId | null): Promise<Extent> {
      const { text, values } = inService(projectId)
      const [row] = await run(
        `SELECT CAST(coalesce(sum(last_issue_number + last_event_position), 0) AS bigint) AS extent,
           CAST(coalesce(sum(file_bytes), 0) AS bigint) AS bytes FROM ${project.source} WHERE ${text}`,
        values,
      )
      return { extent: Number(row?.['extent']), fileBytes: Number(row?.['bytes']) }
    },

    async *lines(run: Run, projectId: ProjectId | null): AsyncGenerator<readonly TransferLine[]> {
      for await (const row of projects(run, projectId)) {
        yield [project.toLine(row)]
        const isLeft = await leftByDeletedIssues(run, row.seq)
        for (const table of projectTables) {
          for await (const page of pages(run, table, row.seq)) {
            yield isLeft === null ? page : page.filter((line) => !isLeft(line))
          }
        }
      }
      if (projectId !== null) return
      for (const table of instanceTables) yield* pages(run, table, null)
    },
  }
}

/** Identifies rows of deleted issues that are not removed yet; `null` if there are none. Called in the order of the file. */
async function leftByDeletedIssues(run: Run, seq: number): Promise<((line: TransferLine) => boolean) | null> {
  const rows = await run('SELECT number FROM deleted_issues WHERE project = ?', [seq])
  if (rows.length === 0) return null
  const numbers = new Set(rows.map(({ number }) => number))
  const positions = new Set<number>()
  return (line) => {
    if (line.record === 'delivery' || line.record === 'attempt') return positions.has(line.position)
    // Whatever names an issue belongs to it.
    if (!('issueNumber' in line)) return false
    const isLeft = numbers.has(line.issueNumber)
    if (line.record !== 'event') return isLeft
    if (!isLeft || line.type === 'issue.deleted') return false
    positions.add(line.position)
    return true
  }
}

/** A project without a slug is being deleted, or imported. By its number, an integer in both databases. */
function inService(id: ProjectId | null): Condition {
  if (id === null) return { text: 'slug IS NOT NULL', values: [] }
  return { text: 'slug IS NOT NULL AND ordinal = ?', values: [projectNumberOf(id)] }
}
