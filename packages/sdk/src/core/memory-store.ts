import type { Store } from './platform.ts'

/** The last resort: it lasts as long as the page or process. */
export function createMemoryStore(): Store {
  const texts = new Map<string, string>()
  return {
    async put(id, text) {
      texts.set(id, text)
    },
    putNow(id, text) {
      texts.set(id, text)
    },
    async remove(id) {
      texts.delete(id)
    },
    readAll: async () => new Map(texts),
  }
}
