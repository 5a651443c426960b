import { type ProjectId, projectNumberOf } from '../../model/ids.ts'
import { INSTANCE_KINDS, type LineOf } from '../../model/transfer/lines.ts'
import { readId } from '../operations.ts'
import type { ProjectStorage } from '../storage.ts'
import type { ImportBatch, TransferStorage } from '../transfer.ts'
import { createTransferReads } from './transfer-reads.ts'
import { type LineTable, lineTables, type Row, type Run, type TransferDialect } from './transfer-rows.ts'

/** What moving data needs of a database; the steps are the same for both. */
export interface TransferDatabase {
  readonly dialect: TransferDialect
  /** Runs queries that all see the same moment. */
  snapshot<T>(work: (run: Run) => Promise<T>): Promise<T>
  transaction<T>(work: (tx: TransferTransaction) => Promise<T>): Promise<T>
}

export interface TransferTransaction {
  readonly run: Run
  insert(table: LineTable, rows: readonly Row[]): Promise<void>
  /** Puts issues into the full-text index. */
  index(issues: readonly LineOf<'issue'>[], seq: number): Promise<void>
}

export function transferStorage(database: TransferDatabase, projects: ProjectStorage): TransferStorage {
  const [project, projectTables, instanceTables] = partsOf(lineTables(database.dialect))
  const reads = createTransferReads({ project, projectTables, instanceTables })

  async function store(tx: TransferTransaction, { projectId, lines }: ImportBatch): Promise<void> {
    const byKind = Map.groupBy(lines, ({ record }) => record)
    const insert = async (table: LineTable, seq: number | null) => {
      const rows = byKind.get(table.kind)?.map((line) => table.toRow(line, seq)) ?? []
      if (rows.length > 0) await tx.insert(table, rows)
    }
    await insert(project, null)
    for (const table of instanceTables) await insert(table, null)
    if (projectId === null) return
    const seq = await requireSeq(tx, projectId)
    for (const table of projectTables) await insert(table, seq)
    await tx.index(
      lines.filter((line) => line.record === 'issue'),
      seq,
    )
  }

  async function requireSeq({ run }: TransferTransaction, id: ProjectId): Promise<number> {
    const [row] = await run('SELECT seq FROM projects WHERE ordinal = ? AND import_slug IS NOT NULL', [
      projectNumberOf(id),
    ])
    if (row === undefined) throw new Error(`${id} is not being imported`)
    return row['seq'] as number
  }

  return {
    snapshot: (projectId, work) =>
      database.snapshot(async (run) =>
        work({ extent: await reads.extent(run, projectId), lines: () => reads.lines(run, projectId) }),
      ),

    beginImport: (digest) =>
      database.transaction(async ({ run }) => {
        await run('INSERT INTO imports (slot, digest, line) VALUES (1, ?, 0) ON CONFLICT DO NOTHING', [
          digest,
        ])
        const [row] = await run('SELECT digest, line FROM imports', [])
        return row as Row & { digest: string; line: number }
      }),

    storeLines: (batch) =>
      database.transaction(async (tx) => {
        if (!(await advance(tx, batch))) return 'overtaken'
        await store(tx, batch)
        return 'stored'
      }),

    finishImport: (batch) =>
      database.transaction(async (tx) => {
        const [taken] = await tx.run(
          'SELECT import_slug AS slug FROM projects WHERE import_slug IN (SELECT slug FROM projects) ORDER BY seq LIMIT 1',
          [],
        )
        if (taken !== undefined) return { takenSlug: taken['slug'] as string }
        if (!(await advance(tx, batch))) return 'overtaken'
        await store(tx, batch)
        for (const text of FINISH) await tx.run(text, [])
        return 'finished'
      }),

    async discardSome() {
      const next = await database.transaction(async ({ run }) => {
        // From now on no file is this import's: what is left of it is not gone on with.
        await run("UPDATE imports SET digest = '', line = 0", [])
        const [row] = await run(
          'SELECT id FROM projects WHERE import_slug IS NOT NULL ORDER BY seq LIMIT 1',
          [],
        )
        if (row === undefined) await run('DELETE FROM imports', [])
        return row
      })
      if (next === undefined) return false
      await projects.delete(readId('prj', next['id']))
      return true
    },
  }
}

/** The table of projects, those of what belongs to one, and those of what belongs to none. */
function partsOf(tables: readonly LineTable[]): [LineTable, readonly LineTable[], readonly LineTable[]] {
  const [project, ...others] = tables
  if (project?.kind !== 'project') throw new TypeError('an export begins with a project')
  const isOfInstance = ({ kind }: LineTable) => INSTANCE_KINDS.includes(kind)
  return [project, others.filter((table) => !isOfInstance(table)), others.filter(isOfInstance)]
}

/** Moves how far the import has got; false if it is not where this batch begins. */
async function advance({ run }: TransferTransaction, { from, toLine }: ImportBatch): Promise<boolean> {
  const rows = await run('UPDATE imports SET line = ? WHERE digest = ? AND line = ? RETURNING line', [
    toLine,
    from.digest,
    from.line,
  ])
  return rows.length > 0
}

const FINISH = [
  'UPDATE projects SET slug = import_slug, import_slug = NULL WHERE import_slug IS NOT NULL',
  'UPDATE catalog SET version = version + 1',
  'DELETE FROM links WHERE user_id IS NULL AND EXISTS (SELECT 1 FROM users)',
  'DELETE FROM imports',
]
