import { guard } from '../core/guard.ts'
import type { Store } from '../core/platform.ts'
import { openDatabase, type Row } from './database.ts'
import { openJournal } from './journal.ts'

/**
 * Two phases: local storage at once, so that the page can close in the same moment, then IndexedDB to stay; then the
 * first entry goes, because hosts wipe local storage at logout. Where one of them is denied, the other has to do.
 */
export function createBrowserStore(scope: string): Store {
  const journal = openJournal(`${scope}:`)
  const write = guard(journal.put, () => {})
  const forget = guard(journal.remove, () => {})
  const database = openDatabase(scope)
  return {
    putNow: write,
    readNow: journal.get,
    async put(id, text) {
      write(id, text)
      await database((rows) => rows.put({ id, text } satisfies Row))
      forget(id)
    },
    async remove(id) {
      forget(id)
      await database((rows) => rows.delete(id))
    },
    async readAll() {
      const rows = await database<Row[]>((table) => table.getAll()).catch(() => [])
      // The journal comes last and counts: it has what was written last.
      const journalled = guard(journal.entries, () => [])()
      return new Map([...rows.map(({ id, text }) => [id, text] as const), ...journalled])
    },
  }
}
