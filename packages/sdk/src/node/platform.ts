import { join } from 'node:path'
import { commonPlatform } from '../core/common-platform.ts'
import { guard } from '../core/guard.ts'
import type { Platform } from '../core/platform.ts'
import { readAppFields } from './app-fields.ts'
import { createDirectoryStore } from './directory-store.ts'
import { runLocked } from './lock-file.ts'
import { createQueueDirectory } from './queue-directory.ts'
import { sendRequest } from './send-request.ts'
import { readSystem } from './system.ts'

/** A Node process, or the main process of an Electron app. */
export function createNodePlatform(scope: string, queueDirectory: string | undefined): Platform {
  let directory = ''

  return {
    ...commonPlatform,
    _sdkName: '@bugle/sdk/node',
    fetch: sendRequest,
    _readDevice: () => ({
      _known: { ...guard(readSystem, () => ({}))(), ...guard(readAppFields, () => ({}))() },
    }),
    _openStore() {
      directory = createQueueDirectory(scope, queueDirectory)
      return createDirectoryStore(directory)
    },
    _isOnline: () => true,
    _isDevelopment: () => process.env['NODE_ENV'] !== 'production',
    _runAlone: (task) => runLocked(join(directory, 'lock'), task),
    // There is nothing to do when the process ends: everything is written at once.
    _watchLife: () => () => {},
    _later(task, milliseconds) {
      // A queued report must not keep the process alive.
      const timer = setTimeout(task, milliseconds).unref()
      return () => clearTimeout(timer)
    },
  }
}
