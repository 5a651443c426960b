import type { DatabaseSync } from 'node:sqlite'
import type { Category } from '@bugle/contract/vocabulary'
import { laneOf } from '../../../model/lanes.ts'
import { isPlainText, roughSearchText } from '../../../model/search/tokens.ts'
import { numberOf, rowKey } from '../driver/row-keys.ts'
import { prepareCommand, prepareLater, prepareSilent } from '../driver/statements.ts'

/** Marks issues of the security lane in the index. It is no letter, so no query of a person contains it. */
export const SECURITY_TOKEN = '\ue000'

/** Issues put into the index in one go: enough to make it cheap, few enough to let submissions in between. */
export const INDEX_STEP_ROWS = 1_000
/** And the text of these issues: the longest there can be takes some 15 ms. */
const INDEX_STEP_CHARS = 250_000
/** What is not plain ASCII is split into words by us, and Chinese text has as many as it has characters. */
const TOKENIZED_CHAR_COST = 8

interface Searchable {
  readonly title: string
  readonly description: string | null
  readonly category: Category
}

/**
 * A project's `indexed_number` while the full-text index must not be used: it is damaged, or has missed a change. Searches
 * look at issues instead, nothing is written to the index, and `bugle doctor --rebuild-search` builds it anew.
 */
const DAMAGED = -1

/** Says of all projects that the index must not be used: they share it. */
export function prepareDamageMark(db: DatabaseSync): () => void {
  const mark = prepareCommand(db, 'UPDATE projects SET indexed_number = ?')
  return () => void mark.run(DAMAGED)
}

/** Keeps the full-text index true. New issues are not its business: {@link prepareIndexing} catches up with them. */
export function prepareSearchWrites(db: DatabaseSync) {
  // Prepared when they are needed: without the index, everything else still works.
  const insert = prepareLater(() => prepareSilent(db, 'INSERT INTO search (rowid, tokens) VALUES (?, ?)'))
  const remove = prepareLater(() => prepareSilent(db, 'DELETE FROM search WHERE rowid = ?'))
  return {
    add(row: number, issue: Searchable): void {
      insert(row, tokensOf(issue))
    },
    replace(row: number, issue: Searchable): void {
      remove(row)
      insert(row, tokensOf(issue))
    },
    remove(row: number): void {
      remove(row)
    },
  }
}

/** Puts the newest issues into the index, after the fact: a submission need not wait for it. */
export function prepareIndexing(db: DatabaseSync, stepRows = INDEX_STEP_ROWS) {
  const search = prepareSearchWrites(db)
  const selectBehind = db.prepare(
    `SELECT seq, indexed_number FROM projects
     WHERE indexed_number > ${DAMAGED} AND indexed_number < last_issue_number`,
  )
  const selectNext = db.prepare(
    'SELECT row, title, description, category FROM issues WHERE row > ? AND row <= ? ORDER BY row',
  )
  selectNext.setReturnArrays(true)
  const mark = prepareSilent(
    db,
    'UPDATE projects SET indexed_number = min(?, last_issue_number) WHERE seq = ?',
  )

  return {
    isBehind: (): boolean => selectBehind.get() !== undefined,
    /** Indexes the next issues, in a transaction of the caller; false when there was nothing to do. */
    indexSome(): boolean {
      const projects = selectBehind.all() as unknown as readonly Behind[]
      const room = { rows: stepRows, chars: INDEX_STEP_CHARS }
      for (const project of projects) {
        if (room.rows > 0 && room.chars > 0) mark(indexNext(project, room), project.seq)
      }
      return projects.length > 0
    },
  }

  /** Indexes issues of a project while there is room for them; returns the number up to which it has got. */
  function indexNext(
    { seq, indexed_number: indexed }: Behind,
    room: { rows: number; chars: number },
  ): number {
    const end = indexed + room.rows
    const rows = selectNext.iterate(rowKey(seq, indexed), rowKey(seq, end)) as Iterable<unknown>
    for (const [row, title, description, category] of rows as Iterable<IndexRow>) {
      search.add(row, { title, description, category })
      room.rows--
      room.chars -= costOf(title) + costOf(description ?? '')
      if (room.chars <= 0) return numberOf(row)
    }
    return end
  }
}

function costOf(text: string): number {
  return text.length * (isPlainText(text) ? 1 : TOKENIZED_CHAR_COST)
}

interface Behind {
  readonly seq: number
  readonly indexed_number: number
}

/** By place: rows by name would be dictionaries, which take longer. */
type IndexRow = readonly [row: number, title: string, description: string | null, category: Category]

// FTS5's own tokenizer, `ascii`, has no more to do than to split at spaces, but it can do more.
function tokensOf({ title, description, category }: Searchable): string {
  const text = roughSearchText(title, description)
  return laneOf(category) === 'security' ? `${text} ${SECURITY_TOKEN}` : text
}
