import type { Platform, Timer } from './platform.ts'
import type { DeviceFields } from './types.ts'

const later: Timer = (task, milliseconds) => {
  const timer = setTimeout(task, milliseconds)
  return () => clearTimeout(timer)
}

/** The functions that every JavaScript runtime has. Nothing is accessed before it is called. */
export const commonPlatform: Pick<Platform, 'fetch' | '_later' | '_wait' | '_now' | '_random'> = {
  fetch: (url, request) => fetch(url, request),
  _later: later,
  _wait: later,
  _now: Date.now,
  _random: () => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32,
}

/** Set by the bundler plugin before the app starts; the first one wins. */
declare global {
  var __BUGLE_BUILD__: Pick<DeviceFields, 'appVersion' | 'buildNumber' | 'branch'> | undefined
}

/** Values from the build: version, build number and branch. */
export function readBuildFields(): DeviceFields | undefined {
  return globalThis.__BUGLE_BUILD__
}
