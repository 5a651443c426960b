import type { Store } from '../core/platform.ts'

/** A storage such as AsyncStorage: the app provides it, so that the SDK needs no native module. */
export interface KeyValueStorage {
  getAllKeys(): Promise<readonly string[]>
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}

/** One key for each text: a single one for all would be rewritten with every report, and Android limits its size. */
export function createKeyValueStore(storage: KeyValueStorage, scope: string): Store {
  const prefix = `${scope}:`
  return {
    _put: (id, text) => storage.setItem(prefix + id, text),
    _putNow(id, text) {
      // Nothing is synchronous here; a started write usually completes while the app goes to the background.
      void storage.setItem(prefix + id, text).catch(() => {})
    },
    _readNow: () => undefined,
    _remove: (id) => storage.removeItem(prefix + id),
    async _readAll() {
      const keys = (await storage.getAllKeys()).filter((key) => key.startsWith(prefix)).sort()
      const texts = await Promise.all(keys.map((key) => storage.getItem(key)))
      return new Map(keys.map((key, index) => [key.slice(prefix.length), texts[index] ?? '']))
    },
  }
}
