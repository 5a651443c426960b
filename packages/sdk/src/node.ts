import { flush, start } from './core/api.ts'
import type { InitOptions } from './core/types.ts'
import { createNodePlatform } from './node/platform.ts'

/** What Node can be told besides. */
export interface NodeInitOptions extends InitOptions {
  /** Where reports wait; without it, in the state folder of the user. */
  readonly queueDirectory?: string
}

/** So long a script that is at its end waits for the reports of earlier runs to be sent. */
const LEFTOVERS_MS = 3_000

/** Starts reporting from a Node process or the main process of an Electron app. */
export function init(options: NodeInitOptions): void {
  start(options, (scope) => createNodePlatform(scope, options.queueDirectory))
  void flush(LEFTOVERS_MS)
}

export * from './core/exports.ts'
