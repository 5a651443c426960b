import { join } from 'node:path'
import { commonPlatform } from '../core/common-platform.ts'
import { guard } from '../core/guard.ts'
import type { Platform } from '../core/platform.ts'
import { readAppFields } from './app-fields.ts'
import { createDirectoryStore, type DirectoryStore } from './directory-store.ts'
import { runLocked } from './lock-file.ts'
import { makeQueueDirectory } from './queue-directory.ts'
import { sendRequest } from './send-request.ts'
import { readSystem } from './system.ts'

/** A Node process, or the main process of an Electron app. */
export function createNodePlatform(scope: string, queueDirectory: string | undefined): Platform {
  let directory = ''
  let store: DirectoryStore | undefined

  return {
    ...commonPlatform,
    sdkName: '@bugle/sdk/node',
    fetch: sendRequest,
    readDevice: () => ({
      known: { ...guard(readSystem, () => ({}))(), ...guard(readAppFields, () => ({}))() },
    }),
    openStore() {
      directory = makeQueueDirectory(scope, queueDirectory)
      store = createDirectoryStore(directory)
      return store
    },
    isOnline: () => true,
    runAlone: (task) => runLocked(join(directory, 'lock'), task),
    watchLife(listener) {
      const leave = () => {
        store?.finishNow()
        listener('hide')
      }
      process.on('exit', leave)
      return () => process.off('exit', leave)
    },
    later(task, milliseconds) {
      // A report that waits must not keep the process alive.
      const timer = setTimeout(task, milliseconds).unref()
      return () => clearTimeout(timer)
    },
  }
}
