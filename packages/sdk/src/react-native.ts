import { start } from './core/api.ts'
import type { InitOptions } from './core/types.ts'
import type { KeyValueStorage } from './react-native/key-value-store.ts'
import { createReactNativePlatform } from './react-native/platform.ts'

/** Additional options in React Native. */
export interface ReactNativeInitOptions extends InitOptions {
  /** AsyncStorage or a compatible storage, where reports are queued. */
  readonly storage?: KeyValueStorage
}

/** Starts reporting from a React Native app. */
export function init(options: ReactNativeInitOptions): void {
  start(options, (scope) => createReactNativePlatform(scope, options.storage))
}

export * from './core/exports.ts'
export type { KeyValueStorage } from './react-native/key-value-store.ts'
