/** Texts in local storage: written when the call returns, which nothing else in a page can promise. */
export interface Journal {
  put(id: string, text: string): void
  get(id: string): string | null
  remove(id: string): void
  entries(): readonly (readonly [id: string, text: string])[]
}

/** Touches the storage only when it is used; every function may throw where that is denied. */
export function openJournal(prefix: string): Journal {
  return {
    put: (id, text) => localStorage.setItem(prefix + id, text),
    get: (id) => localStorage.getItem(prefix + id),
    remove: (id) => localStorage.removeItem(prefix + id),
    entries: () =>
      Object.entries<string>(localStorage)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, text]) => [key.slice(prefix.length), text]),
  }
}
