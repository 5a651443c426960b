import type { Store } from '../platform.ts'

/** The last resort: it lasts as long as the page or process. */
export function createMemoryStore(): Store {
  const texts = new Map<string, string>()
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
