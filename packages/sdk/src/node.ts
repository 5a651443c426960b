import { flush, start } from './core/api.ts'
import type { InitOptions } from './core/types.ts'
import { createNodePlatform } from './node/platform.ts'

/** Additional options in Node. */
export interface NodeInitOptions extends InitOptions {
  /** Where reports are queued; by default, the user's state folder. */
  readonly queueDirectory?: string
}

/** How long a script that is about to exit waits for reports of earlier runs to be sent. */
const LEFTOVERS_MS = 3_000

/** Starts reporting from a Node process or the main process of an Electron app. */
export function init(options: NodeInitOptions): void {
  start(options, (scope) => createNodePlatform(scope, options.queueDirectory))
  void flush(LEFTOVERS_MS)
}

export * from './core/exports.ts'
