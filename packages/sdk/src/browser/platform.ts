import { commonPlatform, readBuildFields } from '../core/common-platform.ts'
import { guard } from '../core/guard.ts'
import type { DeviceReading, Platform } from '../core/platform.ts'
import { type HintSource, readClientHints } from './client-hints.ts'
import { readContext } from './context.ts'
import { createBrowserStore } from './store.ts'
import { readUserAgent } from './user-agent.ts'

/** A page, or the renderer of an Electron app. */
export function createBrowserPlatform(scope: string): Platform {
  return {
    ...commonPlatform,
    _sdkName: '@bugle/sdk/browser',
    _readDevice: readDevice,
    _readContext: readContext,
    _openStore: () => createBrowserStore(scope),
    _isOnline: () => navigator.onLine,
    _isDevelopment: () => /^(localhost|127\.|\[::1)/.test(location.hostname),
    _watchLife: watchLife,
    _runAlone: (task) =>
      navigator.locks.request(scope, { ifAvailable: true }, async (lock) => {
        if (lock) await task()
        return !!lock
      }),
  }
}

function readDevice(): DeviceReading {
  const { userAgent, maxTouchPoints, userAgentData } = navigator as Navigator & {
    readonly userAgentData?: HintSource
  }
  // A worker has no document.
  const meta = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=app-version]')
  return {
    _known: {
      platform: 'web',
      appVersion: meta?.content,
      ...readUserAgent(userAgent, maxTouchPoints),
      ...readBuildFields(),
    },
    _soon: userAgentData && readClientHints(userAgentData),
  }
}

/** Never `unload` or `beforeunload`: they keep a page out of the back/forward cache. */
function watchLife(listener: (moment: 'hide' | 'wake') => void): () => void {
  return listen(['visibilitychange', 'pagehide', 'online'], ({ type }) =>
    listener(type === 'pagehide' || globalThis.document?.hidden ? 'hide' : 'wake'),
  )
}

/** Listens to several events of the window, if there is one; returns a function that stops it. */
export const listen: (types: readonly string[], listener: (event: Event) => void) => () => void = guard(
  (types: readonly string[], listener: (event: Event) => void) => {
    for (const type of types) addEventListener(type, listener)
    return () => {
      for (const type of types) removeEventListener(type, listener)
    }
  },
  () => () => {},
)
