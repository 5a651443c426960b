import { MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@bugle/contract/vocabulary'
import type { Messages } from './messages.ts'

/** The parts of the widget that react. */
export interface Dialog {
  readonly opener: HTMLButtonElement
  readonly dialog: HTMLDialogElement
  readonly form: HTMLFormElement
  readonly title: HTMLInputElement
  readonly description: HTMLTextAreaElement
  readonly category: HTMLSelectElement
  readonly closer: HTMLButtonElement
  readonly status: HTMLElement
}

/** Builds the widget node by node: a page with Trusted Types allows no markup from text. */
export function buildDialog(messages: Messages, categories: readonly string[]): Dialog {
  const opener = make('button', { type: 'button', textContent: messages.open })
  const heading = make('h2', { id: 'heading', textContent: messages.heading })
  const title = make('input', { required: true, maxLength: MAX_TITLE_CHARS, autocomplete: 'off' })
  const description = make('textarea', { maxLength: MAX_DESCRIPTION_CHARS })
  const options = categories.map((value) =>
    make('option', { value, textContent: messages.categories[value] ?? value }),
  )
  const category = make('select', {}, ...options)
  const status = make('p', { role: 'status' })
  const closer = make('button', { type: 'button', textContent: messages.close })
  const submit = make('button', { className: 'main', textContent: messages.submit })
  const form = make(
    'form',
    {},
    heading,
    make('label', {}, messages.title, title),
    make('label', {}, messages.description, description),
    make('label', {}, messages.category, category),
    status,
    make('footer', {}, closer, submit),
  )
  const dialog = make('dialog', {}, form)
  dialog.setAttribute('aria-labelledby', heading.id)
  return { opener, dialog, form, title, description, category, closer, status }
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}
