import { createMemoryFileStore, type FileStore, type KeptFile } from '../core/files/file-store.ts'

const TABLES = ['files', 'bytes'] as const

/** IndexedDB, or the memory of a page that has none, such as one without an origin. */
export function createBrowserFileStore(scope: string): FileStore {
  const name = `${scope}-files`
  const store = open(name).then(
    (database) => {
      database.close()
      return createDatabaseStore(name)
    },
    () => createMemoryFileStore(),
  )
  return {
    _put: async (...args) => (await store)._put(...args),
    _list: async () => (await store)._list(),
    _read: async (id) => (await store)._read(id),
    _remove: async (id) => (await store)._remove(id),
    _runAlone: async (task) => (await store)._runAlone(task),
  }
}

/** A database of its own. The list of files is a table without the bytes. */
function createDatabaseStore(name: string): FileStore {
  async function transact<T>(
    mode: IDBTransactionMode,
    action: (files: IDBObjectStore, bytes: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const database = await open(name)
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(TABLES, mode)
        const [files, bytes] = TABLES.map((table) => transaction.objectStore(table))
        const request = action(files as IDBObjectStore, bytes as IDBObjectStore)
        const finish = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error)
        if (mode === 'readonly') {
          request.onsuccess = finish
          return
        }
        transaction.oncomplete = finish
        // Without `commit`, the browser waits for further requests, and a closing page loses the write. A read must not call it:
        // in Chromium, its transaction could complete before a large value has been read.
        transaction.commit?.()
      })
    } finally {
      // Kept open, it would delay other pages that delete it.
      database.close()
    }
  }

  return {
    async _put(file, content) {
      await transact('readwrite', (files, bytes) => {
        if (content) bytes.put(content.buffer, file.id)
        return files.put(file, file.id)
      })
    },
    _list: () => transact<KeptFile[]>('readonly', (files) => files.getAll()),
    async _read(id) {
      const buffer = await transact<ArrayBuffer | undefined>('readonly', (_, bytes) => bytes.get(id))
      return buffer && new Uint8Array(buffer)
    },
    async _remove(id) {
      await transact('readwrite', (files, bytes) => {
        bytes.delete(id)
        return files.delete(id)
      })
    },
    async _runAlone(task) {
      // Without locks, two tabs may send the same file: the server stores it once.
      if (!navigator.locks) return task()
      return navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && task())
    },
  }
}

async function open(name: string): Promise<IDBDatabase> {
  // Without an origin, this throws.
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table)
    }
    request.onerror = () => reject(request.error)
    request.onsuccess = () => resolve(request.result)
  })
}
