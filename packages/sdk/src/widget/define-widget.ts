import { CATEGORIES } from '@bugle/contract/vocabulary'
import { getConfig, report } from '../core/api.ts'
import { guard } from '../core/guard.ts'
import type { Category } from '../core/types.ts'
import { buildDialog } from './build-dialog.ts'
import { keepDraft, readDraft } from './drafts.ts'
import type { BugleReportElement } from './element.ts'
import { LANGUAGES, type Messages } from './messages.ts'
import { STYLE } from './style.ts'

/** How the widget is made. */
export interface WidgetOptions {
  /** Further languages, or other words, by language code. */
  readonly languages?: Readonly<Record<string, Messages>>
}

/** Makes `<bugle-report>` known: a button that opens a dialog. On a server, or the second time, it does nothing. */
export const defineWidget: (options?: WidgetOptions) => void = guard(define, () => {})

function define({ languages = {} }: WidgetOptions = {}): void {
  if (!globalThis.customElements || customElements.get('bugle-report')) return
  const known = { ...LANGUAGES, ...languages }
  customElements.define(
    'bugle-report',
    class extends HTMLElement implements BugleReportElement {
      open = () => {}

      connectedCallback() {
        if (!this.shadowRoot) this.open = guard(fill, () => () => {})(this, messagesFor(this, known))
      }
    },
  )
}

function messagesFor(host: HTMLElement, known: Readonly<Record<string, Messages>>): Messages {
  const wanted = host.lang || document.documentElement.lang || navigator.language
  return known[wanted] ?? known[wanted.slice(0, 2)] ?? (known['en'] as Messages)
}

/** Fills the element with its button and dialog; returns what opens it. */
function fill(host: HTMLElement, messages: Messages): () => void {
  const categories = getConfig()?.categories ?? CATEGORIES
  const { opener, dialog, form, title, description, category, closer, status } = buildDialog(
    messages,
    categories,
  )
  let isSending = false

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    if (isSending) return
    isSending = true
    status.textContent = messages.sending
    const result = await report({
      title: title.value,
      description: description.value,
      category: category.value as Category,
    })
    isSending = false
    status.textContent = messages[result.status]
    // What was not taken stays where it was typed.
    if (result.status !== 'dropped') {
      form.reset()
      keepDraft({})
    }
    host.dispatchEvent(new CustomEvent('bugle-result', { detail: result }))
  }

  function open(): void {
    status.textContent = ''
    dialog.showModal()
  }

  opener.onclick = open
  closer.onclick = () => dialog.close()
  form.onsubmit = send
  form.oninput = () => keepDraft({ title: title.value, description: description.value })
  const draft = readDraft()
  title.value = draft.title ?? ''
  description.value = draft.description ?? ''

  // The page must not take what is typed here for its shortcuts: outside it looks as if no field had the focus.
  for (const type of ['keydown', 'keyup', 'keypress'])
    host.addEventListener(type, (event) => event.stopPropagation())

  const root = host.attachShadow({ mode: 'open' })
  root.append(opener, dialog)
  // An older browser shows it plainly.
  guard(dress, () => {})(root)
  return open
}

function dress(root: ShadowRoot): void {
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  root.adoptedStyleSheets = [style]
}
