import type { FileStore, KeptFile } from '../core/files/file-store.ts'

const TABLES = ['files', 'bytes'] as const

/** A database of its own in IndexedDB. The list of files is a table without the bytes. */
export function createBrowserFileStore(scope: string): FileStore {
  const name = `${scope}-files`

  async function transact<T>(
    action: (files: IDBObjectStore, bytes: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const database = await open(name)
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(TABLES, 'readwrite')
        const [files, bytes] = TABLES.map((table) => transaction.objectStore(table))
        const request = action(files as IDBObjectStore, bytes as IDBObjectStore)
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error)
        // Without `commit`, the browser waits for further requests, and a closing page loses the write.
        transaction.commit?.()
      })
    } finally {
      // Kept open, it would delay other pages that delete it.
      database.close()
    }
  }

  return {
    async _put(file, content) {
      await transact((files, bytes) => {
        if (content) bytes.put(content.buffer, file.id)
        return files.put(file, file.id)
      })
    },
    _list: () => transact<KeptFile[]>((files) => files.getAll()),
    async _read(id) {
      const buffer = await transact<ArrayBuffer | undefined>((_, bytes) => bytes.get(id))
      return buffer && new Uint8Array(buffer)
    },
    async _remove(id) {
      await transact((files, bytes) => {
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

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table)
    }
    request.onerror = () => reject(request.error)
    request.onsuccess = () => resolve(request.result)
  })
}
