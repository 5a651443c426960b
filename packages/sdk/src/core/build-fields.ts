import type { DeviceFields } from './types.ts'

/** Set by the bundler plugin before the app starts; the first one counts. */
declare global {
  var __BUGLE_BUILD__: Pick<DeviceFields, 'appVersion' | 'buildNumber' | 'branch'> | undefined
}

/** What the build knew: version, build number and branch. */
export function readBuildFields(): DeviceFields {
  return globalThis.__BUGLE_BUILD__ ?? {}
}
