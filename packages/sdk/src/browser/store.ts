import { guard } from '../core/guard.ts'
import type { Store } from '../core/platform.ts'

const TABLE = 'texts'

/** A text in IndexedDB. */
interface Row {
  readonly id: string
  readonly text: string
}

/** Runs one operation in its own transaction, and resolves when it is committed. */
type Database = <T>(action: (rows: IDBObjectStore) => IDBRequest<T>, isRead?: boolean) => Promise<T>

/**
 * Writes in two phases: to local storage immediately, so that the page can close at any time, then permanently to
 * IndexedDB, because apps clear local storage at logout. The local entry is then removed. If one of the two is denied,
 * only the other is used.
 */
export function createBrowserStore(scope: string): Store {
  const prefix = `${scope}:`
  const write = guard((id: string, text: string) => localStorage.setItem(prefix + id, text))
  const forget = guard((id: string) => localStorage.removeItem(prefix + id))
  const readJournal = guard(
    () =>
      Object.entries<string>(localStorage)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, text]) => [key.slice(prefix.length), text] as const),
    () => [],
  )
  const database = openDatabase(scope)
  return {
    _putNow: write,
    _readNow: (id) => localStorage.getItem(prefix + id),
    async _put(id, text) {
      write(id, text)
      await database((rows) => rows.put({ id, text } satisfies Row))
      forget(id)
    },
    async _remove(id) {
      forget(id)
      await database((rows) => rows.delete(id))
    },
    async _readAll() {
      const rows = await database<Row[]>((table) => table.getAll(), true).catch(() => [])
      // The journal in local storage is read last and takes precedence, because it has the latest writes.
      return new Map([...rows.map(({ id, text }) => [id, text] as const), ...readJournal()])
    },
  }
}

/** Opens the database immediately: opening it takes too long for a page that is about to close (measured). */
function openDatabase(name: string): Database {
  let opening = open(name)
  // A failure is reported at the first use; until then, it must not count as an unhandled rejection.
  opening.catch(() => {})

  return async (...args) => {
    try {
      return await transact(await opening, ...args)
    } catch {
      // Safari sometimes loses its connection permanently: retry once with a new one.
      opening = open(name)
      return transact(await opening, ...args)
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
      // Closed so that another page can delete the database without waiting for this one.
      database.onversionchange = () => database.close()
      resolve(database)
    }
  })
}

function transact<T>(
  database: IDBDatabase,
  action: (rows: IDBObjectStore) => IDBRequest<T>,
  isRead?: boolean,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, 'readwrite')
    const request = action(transaction.objectStore(TABLE))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = reject
    // Without `commit`, the browser waits for further requests, and a closing page loses the write (measured). A read must
    // not call it: in Chromium, its transaction could complete before large values have been read.
    if (!isRead) transaction.commit?.()
  })
}
