import type { Audit } from '../inspection.ts'
import { partsOf } from './migrate.ts'

/** What a dump of PostgreSQL holds. */
export interface DumpContents extends Audit {
  readonly schemaVersion: number
}

/** Reads what pg_dump writes as plain SQL, line by line, and recounts as much of it as one pass can. */
export async function readDump(lines: AsyncIterable<string>): Promise<DumpContents> {
  const tally = createTally()
  let table: { readonly name: string; readonly columns: readonly string[] } | undefined
  let isComplete = false
  for await (const line of lines) {
    if (table === undefined) {
      isComplete ||= line === '-- PostgreSQL database dump complete'
      table = tableOf(line)
      if (table !== undefined) tally.begin(table.name)
    } else if (line === END_OF_ROWS) table = undefined
    else tally.add(table.name, toRow(table.columns, line))
  }
  const { faults, ...contents } = tally.result()
  return { ...contents, faults: isComplete ? faults : ['its end is missing', ...faults] }
}

const END_OF_ROWS = '\\.'
const COPY = /^COPY (?:\w+\.)?(\w+) \((.+)\) FROM stdin;$/

function tableOf(line: string) {
  const [, name, columns] = COPY.exec(line) ?? []
  if (name === undefined || columns === undefined) return undefined
  return { name, columns: columns.split(', ').map((column) => column.replaceAll('"', '')) }
}

type Row = Readonly<Record<string, string | undefined>>

function toRow(columns: readonly string[], line: string): Row {
  const values = line.split('\t')
  return Object.fromEntries(columns.map((column, index) => [column, values[index]]))
}

/** NULL, as COPY writes it. */
const NULL = '\\N'

function createTally() {
  const rows = new Map<string, number>()
  const lastNumbers = new Map<string, number>()
  const highest = new Map<string, number>()
  /** By project, lane and status: what the counters say without what there is. */
  const difference = new Map<string, number>()
  let schemaVersion = 0
  let reports = 0

  const readers: Readonly<Record<string, (row: Row) => void>> = {
    schema_version(row) {
      schemaVersion = Number(row['version'])
    },
    projects({ seq = '', slug, last_issue_number: last }) {
      if (slug !== NULL) lastNumbers.set(seq, Number(last))
    },
    issues({ project = '', number, lane, status, report_count: count }) {
      highest.set(project, Math.max(highest.get(project) ?? 0, Number(number)))
      addTo(difference, `${project} ${lane} ${status}`, -1)
      reports += Number(count)
    },
    counters({ project, lane, dimension, value, count }) {
      if (dimension === 'status') addTo(difference, `${project} ${lane} ${value}`, Number(count))
    },
  }

  function result(): DumpContents {
    const missing = partsOf(schemaVersion).tables.filter((table) => !rows.has(table))
    const isOver = ([project, last]: [string, number]) => (highest.get(project) ?? 0) > last
    const wrong = [...difference].filter(
      ([key, left]) => left !== 0 && lastNumbers.has(key.split(' ')[0] ?? ''),
    )
    const countOf = (table: string) => rows.get(table) ?? 0
    return {
      schemaVersion,
      counts: {
        projects: lastNumbers.size,
        issues: countOf('issues'),
        reports,
        events: countOf('events'),
      },
      faults: [
        ...(schemaVersion === 0 ? ['it holds no database of Bugle'] : []),
        ...missing.map((table) => `the rows of the table ${table} are missing`),
        ...(wrong.length > 0 ? [`counters that differ from a recount: ${wrong.length}`] : []),
        ...([...lastNumbers].some(isOver) ? ['issue numbers would be given out again'] : []),
      ],
    }
  }

  return {
    begin: (table: string) => addTo(rows, table, 0),
    add(table: string, row: Row) {
      addTo(rows, table, 1)
      readers[table]?.(row)
    },
    result,
  }
}

function addTo(map: Map<string, number>, key: string, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by)
}
