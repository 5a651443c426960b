import { parseJson } from './delivery/requests.ts'
import type { Store } from './platform.ts'

/** A small value that is written when the call returns, and survives the page or process if the store supports that. */
export interface Note<T> {
  read(): T | undefined
  write(value: T | undefined): void
}

/** All pages and processes of the store share the note; if it cannot be read synchronously, each has its own in memory. */
export function createNote<T extends object>(store: Store, id: string): Note<T> {
  let memory: T | undefined
  return {
    read() {
      const text = store.readNow(id)
      return text === undefined ? memory : (Object(parseJson(text)) as T)
    },
    write(value) {
      memory = value
      if (value) store.putNow(id, JSON.stringify(value))
      else void store.remove(id)
    },
  }
}
