import { start } from './core/api.ts'
import { commonPlatform, readBuildFields } from './core/common-platform.ts'
import { createMemoryStore } from './core/delivery/memory-store.ts'
import type { Platform } from './core/platform.ts'
import type { NodeInitOptions } from './node.ts'
import type { ReactNativeInitOptions } from './react-native.ts'

/**
 * The options of all platforms. With `moduleResolution: bundler` TypeScript does not know where the app will run, and
 * takes the types from here.
 */
export interface AnyInitOptions extends NodeInitOptions, ReactNativeInitOptions {}

/** Starts reporting on a platform that is only known to have `fetch`, such as a worker. Reports are queued in memory. */
export function init(options: AnyInitOptions): void {
  start(options, createDefaultPlatform)
}

function createDefaultPlatform(): Platform {
  return {
    ...commonPlatform,
    _sdkName: '@bugle/sdk/default',
    _readDevice: () => ({ _known: { platform: 'other', ...readBuildFields() } }),
    _openStore: createMemoryStore,
    _isOnline: () => true,
    _isDevelopment: () => false,
    _watchLife: () => () => {},
    async _runAlone(task) {
      await task()
      return true
    },
  }
}

export * from './core/exports.ts'
