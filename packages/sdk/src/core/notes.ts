import { parseJson } from './delivery/requests.ts'
import type { Store } from './platform.ts'

/** A small value that is written when the call returns, and survives the page or process if the store supports that. */
export interface Note<T> {
  _read(): T | undefined
  _write(value: T | undefined): void
}

/** All pages and processes of the store share the note; if it cannot be read synchronously, each has its own in memory. */
export function createNote<T extends object>(store: Store, id: string): Note<T> {
  let memory: T | undefined
  return {
    _read() {
      const text = store._readNow(id)
      return text === undefined ? memory : (Object(parseJson(text)) as T)
    },
    _write(value) {
      memory = value
      if (value) store._putNow(id, JSON.stringify(value))
      else void store._remove(id)
    },
  }
}
