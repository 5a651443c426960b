import type { Store } from '../platform.ts'

/** The last resort: it lasts as long as the page or process. */
export function createMemoryStore(): Store {
  const texts = new Map<string, string>()
  return {
    isVolatile: true,
    async put(id, text) {
      texts.set(id, text)
    },
    putNow(id, text) {
      texts.set(id, text)
    },
    readNow: (id) => texts.get(id) ?? null,
    async remove(id) {
      texts.delete(id)
    },
    readAll: async () => new Map(texts),
  }
}
