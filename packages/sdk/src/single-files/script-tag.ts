import {
  captureException,
  close,
  diagnose,
  flush,
  getConfig,
  init,
  report,
  scrub,
  setUser,
} from '../browser.ts'
import { captureCrashes } from '../crash/browser.ts'
import { script } from './script-element.ts'

/** Named one by one: a namespace object needs helper code. Everything that the module exports must be here. */
const Bugle = {
  captureCrashes,
  captureException,
  close,
  diagnose,
  flush,
  getConfig,
  init,
  report,
  scrub,
  setUser,
} satisfies Record<keyof typeof import('../browser.ts') | 'captureCrashes', unknown>

/** What a stub in the page has queued before this file was loaded: names of functions and their arguments. */
const { queue } = Object((globalThis as { Bugle?: unknown }).Bugle) as {
  readonly queue?: readonly [name: 'report', args: Parameters<typeof report>][]
}

// Set on `globalThis`, because variables of a module are not global.
Object.assign(globalThis, { Bugle })

/**
 * `<script src="https://…/sdk/bugle.js" data-public-key="…">` needs no inline script, which a strict CSP forbids. Reports go
 * to the server that the file comes from, or to `data-endpoint`.
 */
const {
  endpoint = /^(.*)\/sdk\//.exec(script?.src ?? '')?.[1],
  publicKey,
  appVersion,
  buildNumber,
  branch,
} = Object(script?.dataset) as DOMStringMap
if (endpoint && publicKey) {
  init({ endpoint, publicKey, appVersion, buildNumber, branch })
  captureCrashes()
}
for (const [name, args] of queue ?? []) Bugle[name](...args)
