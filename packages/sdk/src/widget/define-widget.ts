import { guard } from '../core/guard.ts'
import type { Attach } from './attach/attach.ts'
import { FILES_LEFT } from './drafts.ts'
import type { BugleReportElement } from './element.ts'
import { type LoadPart, loadSoon } from './messages.ts'
import type { WidgetOptions } from './options.ts'
import { createWidget } from './widget.ts'

/** Registers `<bugle-report>`. Does nothing on a server. A second call adds or replaces options. */
export const define: (given: WidgetOptions | undefined, load: LoadPart) => void = guard(register)

/** The options of all elements. */
const options: WidgetOptions = {}

function register(given: WidgetOptions | undefined, load: LoadPart): void {
  Object.assign(options, given)
  // On a server this throws, and so does a second call.
  customElements.define(
    'bugle-report',
    class extends HTMLElement implements BugleReportElement {
      static readonly observedAttributes = ['lang', 'position', 'label', 'shortcut', 'my-reports']
      /** `undefined` if the browser lacks something that the widget needs. */
      readonly #widget = guard(createWidget)(this, options, load)

      open() {
        this.#widget?._open()
      }
      close() {
        this.#widget?._close()
      }
      connectedCallback() {
        this.#widget?._changed()
      }
      disconnectedCallback() {
        this.#widget?._changed()
      }
      attributeChangedCallback() {
        this.#widget?._changed()
      }
    },
  )
  if (localStorage.getItem(FILES_LEFT))
    void loadSoon('attach', load).then((part) => (part as Attach | undefined)?._resume())
}
