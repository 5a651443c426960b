import { AppState, Platform as System } from 'react-native'
import { commonPlatform, readBuildFields } from '../core/common-platform.ts'
import { createMemoryStore } from '../core/delivery/memory-store.ts'
import type { Platform } from '../core/platform.ts'
import type { DeviceFields } from '../core/types.ts'
import { createKeyValueStore, type KeyValueStorage } from './key-value-store.ts'

/** An app on React Native; without a storage, reports last as long as the app runs. */
export function createReactNativePlatform(scope: string, storage: KeyValueStorage | undefined): Platform {
  return {
    ...commonPlatform,
    _sdkName: '@bugle/sdk/react-native',
    _readDevice: () => ({ _known: { platform: System.OS, ...readSystem(), ...readBuildFields() } }),
    _openStore: () => (storage ? createKeyValueStore(storage, scope) : createMemoryStore()),
    _isOnline: () => true,
    _isDevelopment: () => (globalThis as { __DEV__?: boolean }).__DEV__ === true,
    async _runAlone(task) {
      await task()
      return true
    },
    _watchLife(listener) {
      const watch = AppState.addEventListener('change', (state) =>
        listener(state === 'active' ? 'wake' : 'hide'),
      )
      return () => watch.remove()
    },
  }
}

const IDIOMS: Readonly<Record<string, string>> = { phone: 'iPhone', pad: 'iPad' }

/** Without a native module, iOS only reveals the kind of device. */
function readSystem(): DeviceFields {
  const { Release, Manufacturer, Model, systemName, osVersion, interfaceIdiom = '' } = System.constants
  if (Release) return { osVersion: `Android ${Release}`, deviceModel: `${Manufacturer} ${Model}` }
  return { osVersion: `${systemName} ${osVersion}`, deviceModel: IDIOMS[interfaceIdiom] ?? interfaceIdiom }
}
