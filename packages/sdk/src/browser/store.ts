import { guard } from '../core/guard.ts'
import type { Store } from '../core/platform.ts'

const TABLE = 'texts'

/** A text in IndexedDB. */
interface Row {
  readonly id: string
  readonly text: string
}

/** Does one thing in a transaction of its own, and resolves when that is committed. */
type Database = <T>(action: (rows: IDBObjectStore) => IDBRequest<T>) => Promise<T>

/**
 * Two phases: local storage at once, so that the page can close in the same moment, then IndexedDB to stay; then the
 * first entry goes, because hosts wipe local storage at logout. Where one of them is denied, the other has to do.
 */
export function createBrowserStore(scope: string): Store {
  const prefix = `${scope}:`
  const write = guard(
    (id: string, text: string) => localStorage.setItem(prefix + id, text),
    () => {},
  )
  const forget = guard(
    (id: string) => localStorage.removeItem(prefix + id),
    () => {},
  )
  const readJournal = guard(
    () =>
      Object.entries<string>(localStorage)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, text]) => [key.slice(prefix.length), text] as const),
    () => [],
  )
  const database = openDatabase(scope)
  return {
    putNow: write,
    readNow: (id) => localStorage.getItem(prefix + id),
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
      return new Map([...rows.map(({ id, text }) => [id, text] as const), ...readJournal()])
    },
  }
}

/** Opens the database at once: the first opening takes too long for a page that is about to close (measured). */
function openDatabase(name: string): Database {
  let opening = open(name)
  // Its first use hears of the failure; until then it must not count as an unhandled rejection.
  opening.catch(() => {})

  return async (action) => {
    try {
      return await transact(await opening, action)
    } catch {
      // Safari loses its connection now and then, and the handle stays dead: once more with a new one.
      opening = open(name)
      return transact(await opening, action)
    }
  }
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: 'id' })
    request.onerror = reject
    request.onsuccess = () => {
      const database = request.result
      // Another page that wants to delete it must not wait for us.
      database.onversionchange = () => database.close()
      resolve(database)
    }
  })
}

function transact<T>(database: IDBDatabase, action: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, 'readwrite')
    const request = action(transaction.objectStore(TABLE))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = reject
    // Without it the browser waits for further requests, and a closing page loses the write (measured).
    transaction.commit?.()
  })
}
