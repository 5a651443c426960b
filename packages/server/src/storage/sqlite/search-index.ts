import type { DatabaseSync } from 'node:sqlite'
import type { Category } from '@bugle/contract/vocabulary'
import { searchText } from '../../domain/search/tokens.ts'
import { laneOf } from '../records/lanes.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import { rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** Marks issues of the security lane in the index. It is no letter, so no query of a person contains it. */
export const SECURITY_TOKEN = '\ue000'

/** Issues put into the index in one go: few enough to let submissions in between. */
const INDEX_STEP_ROWS = 500

interface Searchable {
  readonly title: string
  readonly description: string | null
  readonly category: Category
}

/** Keeps the full-text index true. New issues are not its business: {@link prepareIndexing} catches up with them. */
export function prepareSearchWrites(db: DatabaseSync) {
  const insert = prepareCommand(db, 'INSERT INTO search (rowid, tokens) VALUES (?, ?)')
  const remove = prepareCommand(db, 'DELETE FROM search WHERE rowid = ?')
  return {
    add(row: number, issue: Searchable): void {
      insert.run(row, tokensOf(issue))
    },
    replace(row: number, issue: Searchable): void {
      remove.run(row)
      insert.run(row, tokensOf(issue))
    },
    remove(row: number): void {
      remove.run(row)
    },
  }
}

/** Puts the newest issues into the index, after the fact: a submission need not wait for it. */
export function prepareIndexing(db: DatabaseSync) {
  const search = prepareSearchWrites(db)
  const selectBehind = db.prepare(
    'SELECT seq, indexed_number FROM projects WHERE indexed_number < last_issue_number LIMIT 1',
  )
  const selectNext = db.prepare(
    'SELECT row, title, description, category FROM issues WHERE row > ? AND row <= ? ORDER BY row',
  )
  const mark = prepareCommand(
    db,
    'UPDATE projects SET indexed_number = min(?, last_issue_number) WHERE seq = ?',
  )

  return {
    isBehind: (): boolean => selectBehind.get() !== undefined,
    /** Indexes some issues, in a transaction of the caller; false when there was nothing to do. */
    indexSome: (): boolean => {
      const behind = selectBehind.get() as { seq: number; indexed_number: number } | undefined
      if (behind === undefined) return false
      const last = behind.indexed_number + INDEX_STEP_ROWS
      const rows = selectNext.all(rowKey(behind.seq, behind.indexed_number), rowKey(behind.seq, last))
      for (const row of rows as unknown as (Searchable & { row: number })[]) search.add(row.row, row)
      mark.run(last, behind.seq)
      return true
    },
  }
}

function tokensOf(issue: Searchable): string {
  const text = searchText(issue.title, issue.description)
  return LANE_CODES[laneOf(issue.category)] === LANE_CODES.security ? `${text} ${SECURITY_TOKEN}` : text
}
