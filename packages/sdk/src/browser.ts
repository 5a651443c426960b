import { createBrowserPlatform } from './browser/platform.ts'
import { start } from './core/api.ts'
import type { InitOptions } from './core/types.ts'

/** Starts reporting from a page. Call it once, as early as you like. */
export function init(options: InitOptions): void {
  start(options, createBrowserPlatform)
}

export * from './core/exports.ts'
