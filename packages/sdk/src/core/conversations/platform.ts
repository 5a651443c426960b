import { guard, guardStore } from '../guard.ts'
import type { Platform, Store } from '../platform.ts'

/** What conversations need from the platform. Any function may throw or reject. */
export interface ConversationPlatform {
  readonly _store: Store
  /** Runs the task unless another tab or process runs one with the same name; returns whether it did. */
  _runAlone(name: 'poll' | 'reporter', task: () => Promise<void>): Promise<boolean>
  _isHidden(): boolean
  /** Calls back when another tab has changed the store. Returns a function that stops it. */
  _watchStore(listener: () => void): () => void
}

/** A platform whose functions do not throw, hang or reject. */
export function guardConversationPlatform(
  given: ConversationPlatform,
  { _later: later }: Platform,
): ConversationPlatform {
  return {
    _store: guardStore(Object(given._store) as Store, later),
    _isHidden: guard(given._isHidden, () => false),
    _watchStore: guard(given._watchStore, () => () => {}),
    async _runAlone(name, task) {
      try {
        return await given._runAlone(name, task)
      } catch {
        // Without locks two tabs may send the same message: the server recognises it by its id and stores it once.
        await task()
        return true
      }
    },
  }
}

/** For a store that no other tab or process uses. */
export const UNSHARED_STORE: Pick<ConversationPlatform, '_runAlone' | '_watchStore'> = {
  async _runAlone(_, task) {
    await task()
    return true
  },
  _watchStore: () => () => {},
}
