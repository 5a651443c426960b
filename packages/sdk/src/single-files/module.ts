import { define } from '../widget/define-widget.ts'
import type { WidgetOptions } from '../widget/options.ts'
import { loadFrom } from '../widget/served-parts.ts'

/** Everything in one module, for pages that import it by its address instead of bundling it. */
export * from '../browser.ts'
export { captureCrashes } from '../crash/browser.ts'

/** Registers `<bugle-report>`. A second call adds or replaces options. */
export function defineWidget(options?: WidgetOptions): void {
  define(options, loadFrom(import.meta.url))
}
