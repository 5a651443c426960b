import { type ProjectId, projectNumberOf } from '../../model/ids.ts'
import { INSTANCE_KINDS, type LineOf } from '../../model/transfer/lines.ts'
import { readId } from '../operations.ts'
import type { ProjectStorage } from '../ports/projects.ts'
import type { ImportBatch, TransferStorage } from '../transfer.ts'
import { fillReports } from './fill-reports.ts'
import { fillImportedProject, moveBuildsOfProject } from './fill-seen-values.ts'
import { createTransferReads } from './transfer-reads.ts'
import { type LineTable, lineTables, type Row, type Run, type TransferDialect } from './transfer-rows.ts'

/** What a transfer needs from a database; the steps are the same for both. */
export interface TransferDatabase {
  readonly dialect: TransferDialect
  /** Runs queries on one snapshot. */
  snapshot<T>(work: (run: Run) => Promise<T>): Promise<T>
  transaction<T>(work: (tx: TransferTransaction) => Promise<T>): Promise<T>
}

export interface TransferTransaction {
  readonly run: Run
  insert(table: LineTable, rows: readonly Row[]): Promise<void>
  /** Adds issues to the full-text index. */
  index(issues: readonly LineOf<'issue'>[], seq: number): Promise<void>
  /** Adds texts of reports to issues that are in the index. */
  indexTexts(texts: readonly LineOf<'reportText'>[], seq: number): Promise<void>
}

export function transferStorage(database: TransferDatabase, projects: ProjectStorage): TransferStorage {
  const [project, projectTables, instanceTables] = partsOf(lineTables(database.dialect))
  const reads = createTransferReads({ project, projectTables, instanceTables })

  async function store(tx: TransferTransaction, batch: ImportBatch): Promise<void> {
    const { projectId, lines } = batch
    const byKind = Map.groupBy(lines, ({ record }) => record)
    const insert = async (table: LineTable, seq: number | null) => {
      const rows = byKind.get(table.kind)?.map((line) => table.toRow(line, seq)) ?? []
      if (rows.length > 0) await tx.insert(table, rows)
    }
    await insert(project, null)
    for (const table of instanceTables) await insert(table, null)
    if (projectId === null) return
    const seq = await requireSeq(tx, projectId)
    for (const table of projectTables) {
      if (table.kind === 'file') await insertFiles(tx, table, batch, seq)
      else await insert(table, seq)
    }
    await tx.index(
      lines.filter((line) => line.record === 'issue'),
      seq,
    )
    await tx.indexTexts(
      lines.filter((line) => line.record === 'reportText').filter(({ words }) => words > 0),
      seq,
    )
  }

  /** The server examines which of them are used, as after a deletion: a file may have some that no report refers to. */
  async function insertFiles(
    tx: TransferTransaction,
    table: LineTable,
    { lines, fileNames }: ImportBatch,
    seq: number,
  ): Promise<void> {
    const files = lines.filter((line) => line.record === 'file')
    if (files.length === 0) return
    await tx.insert(
      table,
      files.map((line) => ({
        ...table.toRow(line, seq),
        object: fileNames.get(line.digest),
        is_suspect: 1,
        is_damaged: 0,
      })),
    )
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await tx.run('UPDATE projects SET file_bytes = file_bytes + ? WHERE seq = ?', [bytes, seq])
  }

  async function requireSeq({ run }: TransferTransaction, id: ProjectId): Promise<number> {
    const [row] = await run('SELECT seq FROM projects WHERE ordinal = ? AND import_slug IS NOT NULL', [
      projectNumberOf(id),
    ])
    if (row === undefined) throw new Error(`${id} is not being imported`)
    return row['seq'] as number
  }

  /** A file of an earlier release has no versions and branches: they are counted from its issues and reports. */
  async function fillOldProject({ run }: TransferTransaction, seq: number): Promise<void> {
    const [seen] = await run('SELECT 1 FROM seen_values WHERE project = ? LIMIT 1', [seq])
    const { name, isPacked } = database.dialect
    if (seen === undefined) for (const text of fillImportedProject(seq)[name]) await run(text, [])
    for (const text of moveBuildsOfProject(seq)[name]) await run(text, [])
    // Nor has it ids of reports, if it has reports that joined an issue.
    const [withoutId] = await run(
      `SELECT 1 FROM reports r WHERE r.id IS NULL AND ${isPacked ? 'r.issue_row >> 32' : 'r.project'} = ? LIMIT 1`,
      [seq],
    )
    const [giveIds = '', ...others] = fillReports(seq)[name]
    if (withoutId !== undefined) await run(giveIds, [])
    if (seen === undefined || withoutId !== undefined) for (const text of others) await run(text, [])
  }

  /** One project at a time, with its number as a value: on a cluster, its rows are elsewhere than the list of projects. */
  async function finishProjects(tx: TransferTransaction): Promise<void> {
    const assignees = new Set<unknown>()
    for (const row of await tx.run('SELECT seq FROM projects WHERE import_slug IS NOT NULL', [])) {
      const seq = row['seq'] as number
      await fillOldProject(tx, seq)
      await tx.run(FORGET_WITHOUT_FILE[database.dialect.name], [seq, seq])
      await tx.run(FORGET_VERSION_COUNTS, [seq])
      for (const { value } of await tx.run(SELECT_ASSIGNEES, [seq])) assignees.add(value)
    }
    for (const assignee of assignees) await tx.run(UNASSIGN, [assignee])
  }

  return {
    snapshot: (projectId, work) =>
      database.snapshot(async (run) =>
        work({ ...(await reads.extent(run, projectId)), lines: () => reads.lines(run, projectId) }),
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
        await finishProjects(tx)
        for (const text of FINISH) await tx.run(text, [])
        return 'finished'
      }),

    async discardSome() {
      const next = await database.transaction(async ({ run }) => {
        // From now on no file matches this import, so that its remaining rows are not resumed.
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

/** The table of projects, the tables of records that belong to one, and those of records that do not. */
function partsOf(tables: readonly LineTable[]): [LineTable, readonly LineTable[], readonly LineTable[]] {
  const [project, ...others] = tables
  if (project?.kind !== 'project') throw new TypeError('an export begins with a project')
  const isOfInstance = ({ kind }: LineTable) => INSTANCE_KINDS.includes(kind)
  return [project, others.filter((table) => !isOfInstance(table)), others.filter(isOfInstance)]
}

/** Advances the progress of the import; false if it is not at the start of this batch. */
async function advance({ run }: TransferTransaction, { from, toLine }: ImportBatch): Promise<boolean> {
  const rows = await run('UPDATE imports SET line = ? WHERE digest = ? AND line = ? RETURNING line', [
    toLine,
    from.digest,
    from.line,
  ])
  return rows.length > 0
}

/** An attachment whose file was not imported can be uploaded again. */
const FORGET_WITHOUT_FILE = {
  sqlite: `UPDATE attachments AS a SET received_at = NULL
    WHERE a.issue_row >> 32 = ? AND a.received_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM files f WHERE f.project = ? AND f.digest = a.digest)`,
  postgres: `UPDATE attachments AS a SET received_at = NULL
    WHERE a.project = ? AND a.received_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM files f WHERE f.project = ? AND f.digest = a.digest)`,
}
/** Earlier releases counted issues by version a second time. */
const FORGET_VERSION_COUNTS = "DELETE FROM counters WHERE project = ? AND dimension = 'app_version'"
const SELECT_ASSIGNEES =
  "SELECT DISTINCT value FROM counters WHERE project = ? AND dimension = 'assignee' AND count > 0"
/** The assignees may not exist in this database. */
const UNASSIGN = `INSERT INTO unassignments (user_id, round) VALUES (?, 1)
  ON CONFLICT (user_id) DO UPDATE SET round = unassignments.round + 1`

const FINISH = [
  'UPDATE projects SET slug = import_slug, import_slug = NULL WHERE import_slug IS NOT NULL',
  'UPDATE catalog SET version = version + 1',
  'DELETE FROM links WHERE user_id IS NULL AND EXISTS (SELECT 1 FROM users)',
  'DELETE FROM imports',
]
