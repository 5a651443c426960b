import * as sdk from './browser.ts'
import { captureCrashes } from './crash-browser.ts'

// Not a variable of the script: those of a module are not global.
Object.assign(globalThis, { Bugle: { ...sdk, captureCrashes } })

/**
 * `<script src="bugle.js" data-endpoint="…" data-public-key="…">` needs no further script, which a strict CSP forbids. A
 * module has no current script, and a worker no document.
 */
const element: HTMLOrSVGElement | null | undefined =
  globalThis.document?.currentScript ??
  globalThis.document?.querySelector<HTMLElement>('script[data-public-key]')
const { endpoint, publicKey, appVersion, buildNumber, branch } = Object(element?.dataset) as DOMStringMap
if (endpoint && publicKey) {
  sdk.init({ endpoint, publicKey, appVersion, buildNumber, branch })
  captureCrashes()
}
