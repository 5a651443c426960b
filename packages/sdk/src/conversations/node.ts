import { join } from 'node:path'
import { startConversationsIn } from '../core/conversations/conversations.ts'
import type { Conversations } from '../core/conversations/types.ts'
import { createDirectoryStore } from '../node/directory-store.ts'
import { runLocked } from '../node/lock-file.ts'
import { createQueueDirectory } from '../node/queue-directory.ts'

/**
 * Lets the person who uses the app follow the reports that they submit from now on, and talk to the team. Call it after `init`;
 * before, it returns `undefined`.
 */
export function startConversations(): Conversations | undefined {
  return startConversationsIn(({ _core: core }) => {
    const { queueDirectory } = core._options as { readonly queueDirectory?: string }
    const folder = createQueueDirectory(`${core._scope}-conversations`, queueDirectory)
    return {
      _store: createDirectoryStore(folder),
      _isHidden: () => false,
      _runAlone: (name, task) => runLocked(join(folder, `${name}.lock`), task),
      _watchStore: () => () => {},
    }
  })
}

export type * from '../core/conversations/types.ts'
