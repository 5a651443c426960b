import type { Store } from '../platform.ts'

/** The last resort: it lasts as long as the page or process. `texts` is what it contains at first. */
export function createMemoryStore(texts: Map<string, string> = new Map()): Store {
  return {
    _isVolatile: true,
    async _put(id, text) {
      texts.set(id, text)
    },
    _putNow(id, text) {
      texts.set(id, text)
    },
    _readNow: (id) => texts.get(id) ?? null,
    async _remove(id) {
      texts.delete(id)
    },
    _readAll: async () => new Map(texts),
  }
}
