import { init } from './browser.ts'
import { captureCrashes } from './crash/browser-crashes.ts'

export * from './browser.ts'
export { captureCrashes }

/** `<script src="bugle.js" data-endpoint="…" data-public-key="…">` needs no further script, which a strict CSP forbids. */
const { endpoint, publicKey, appVersion, buildNumber, branch } = Object(document.currentScript)
  .dataset as DOMStringMap
if (endpoint && publicKey) {
  init({ endpoint, publicKey, appVersion, buildNumber, branch })
  captureCrashes()
}
