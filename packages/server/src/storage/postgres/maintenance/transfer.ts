import type { SearchedText } from '../../../model/search/tokens.ts'
import type { LineOf } from '../../../model/transfer/lines.ts'
import { POSTGRES } from '../../dialects.ts'
import { laneOfCode } from '../../issues/lane-codes.ts'
import { transferStorage as sharedStorage, type TransferTransaction } from '../../maintenance/transfer.ts'
import type { TransferDialect } from '../../maintenance/transfer-rows.ts'
import { StoredId } from '../../operations.ts'
import type { ProjectStorage } from '../../ports/projects.ts'
import type { TransferStorage } from '../../transfer.ts'
import { type Database, numbered, type Session } from '../driver/connection.ts'
import { toAppendedTsvector, toTsvector } from '../issues/search-index.ts'

/** Rows are sent as JSON. */
export const POSTGRES_DIALECT: TransferDialect = {
  name: 'postgres',
  isPacked: false,
  current: POSTGRES.current,
  toStored(value) {
    if (value instanceof StoredId) return Buffer.from(value.bytes).toString('hex')
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  },
  projectColumns: () => ({}),
}

export function transferStorage(database: Database, projects: ProjectStorage): TransferStorage {
  return sharedStorage(
    {
      dialect: POSTGRES_DIALECT,
      snapshot: (work) =>
        database.snapshot(async (session) => {
          // The consumer may be slow, and pages must follow the key even if the table was never analysed.
          await session.run({
            text: 'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL enable_sort = off',
            values: [],
          })
          return work((text, values) => session.run(numbered(text, values)))
        }),
      transaction: (work) => database.transaction((tx) => work(transactionOn(tx))),
    },
    projects,
  )
}

function transactionOn(session: Session): TransferTransaction {
  async function insert(table: string, rows: readonly object[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    await session.run({
      text: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      values: [JSON.stringify(rows)],
    })
  }

  return {
    run: (text, values) => session.run(numbered(text, values)),
    insert: ({ table }, rows) => insert(table, rows),
    async index(issues, seq) {
      const rows = issues.map((issue) => ({
        project: seq,
        number: issue.number,
        is_spam: issue.spamAt ? true : null,
        tokens: toTsvector(seq, issue.number, issue),
      }))
      if (rows.length > 0) await insert('search', rows)
    },
    async indexTexts(texts, seq) {
      const byIssue = Map.groupBy(texts, ({ issueNumber }) => issueNumber)
      if (byIssue.size === 0) return
      const issues = await session.run<{ number: number; lane: number }>({
        text: 'SELECT number, lane FROM issues WHERE project = $1 AND number = ANY ($2)',
        values: [seq, [...byIssue.keys()]],
      })
      const rows = issues.map(({ number, lane }) => ({
        number,
        tokens: toAppendedTsvector(seq, number, laneOfCode(lane), searchedOf(byIssue.get(number))),
      }))
      await session.run({
        text: `UPDATE search s SET tokens = s.tokens || a.tokens FROM json_populate_recordset(NULL::search, $2) a
          WHERE s.project = $1 AND s.number = a.number`,
        values: [seq, JSON.stringify(rows)],
      })
    },
  }
}

/** A redacted text has no title, and nothing to search. */
function searchedOf(texts: readonly LineOf<'reportText'>[] = []): readonly SearchedText[] {
  return texts.flatMap(({ title, description }) => (title === null ? [] : [{ title, description }]))
}
