const TABLE = 'texts'

/** A text in IndexedDB. */
export interface Row {
  readonly id: string
  readonly text: string
}

type Action<T> = (rows: IDBObjectStore) => IDBRequest<T>

/** Does one thing in a transaction of its own, and resolves when that is committed. */
export type Database = <T>(action: Action<T>) => Promise<T>

/** Opens the database at once: the first opening takes too long for a page that is about to close (measured). */
export function openDatabase(name: string): Database {
  let opening = open(name)
  // Whoever uses it hears of the failure; until then it is nobody's unhandled rejection.
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
      // Whoever wants to delete it must not wait for us.
      database.onversionchange = () => database.close()
      resolve(database)
    }
  })
}

function transact<T>(database: IDBDatabase, action: Action<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, 'readwrite')
    const request = action(transaction.objectStore(TABLE))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = reject
    // Without it the browser waits for further requests, and a closing page loses the write (measured).
    transaction.commit?.()
  })
}
