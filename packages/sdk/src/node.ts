import { start } from './core/api.ts'
import type { InitOptions } from './core/types.ts'
import { createNodePlatform } from './node/platform.ts'

/** What Node can be told besides. */
export interface NodeInitOptions extends InitOptions {
  /** Where reports wait; without it, in the state folder of the user. */
  readonly queueDirectory?: string
}

/** Starts reporting from a Node process or the main process of an Electron app. */
export function init(options: NodeInitOptions): void {
  start(options, (scope) => createNodePlatform(scope, options.queueDirectory))
}

export * from './core/exports.ts'
