import { CATEGORIES, MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@bugle/contract/vocabulary'
import { findClient } from '../core/api.ts'
import type { ReportContent, ReportResult } from '../core/types.ts'
import { SDK_VERSION } from '../core/version.ts'
import type { Attach, Attachments } from './attach/attach.ts'
import { type Draft, keepDraft, readDraft } from './drafts.ts'
import type { Extras } from './extras.ts'
import { make } from './make.ts'
import { loadSoon } from './messages.ts'
import type { PanelHost } from './panel-host.ts'
import { composeContent, submit } from './submit.ts'
import type { Suggestions } from './suggestions/suggestions.ts'

/** `end` is the confirmation that replaces the form. */
type View = 'form' | 'sending' | 'failed' | 'end'

/** The panel with the form. */
export interface Panel {
  readonly _dialog: HTMLDialogElement
  /** Call it when the panel was shown or hidden. */
  _changed(isShown: boolean): void
}

export function createPanel(given: PanelHost): Panel {
  const {
    _host: host,
    _messages: messages,
    _options: options,
    _extras: extras,
    _load: load,
    _close: close,
  } = given
  const categories = findClient()?._configs._current().body?.categories ?? CATEGORIES
  const title = make('input', { name: 'title', required: true, maxLength: MAX_TITLE_CHARS })
  const files = make('input', { name: 'files', hidden: true })
  const known = make('input', { name: 'knownIssueId', hidden: true })
  const summary = make(
    'summary',
    {},
    options.context === false ? messages.includedDevice : messages.included,
    findClient()?._trail ? messages.trail : '',
  )
  const details = make('details', {}, summary)
  const status = make('p', { role: 'status' })
  const retry = button(messages.retry, '', () => failed && void send(failed))
  const main = make('button', { className: 'main' })
  const cross = button('', 'cross', close, messages.close)
  const done = button(messages.close, 'done', close)
  const form = make(
    'form',
    { autocomplete: 'off' },
    make('header', {}, make('h2', {}, messages.heading), cross),
    make(
      'div',
      { className: 'rows' },
      row(messages.title, title),
      row(
        messages.description,
        make('textarea', { name: 'description', rows: 4, maxLength: MAX_DESCRIPTION_CHARS }),
      ),
      row(
        messages.category,
        make(
          'select',
          { name: 'category' },
          ...categories.map((value) => make('option', { value }, messages.categories[value] ?? value)),
        ),
      ),
      ...(extras?._makeFields(make, options, messages) ?? []),
      files,
      known,
      details,
    ),
    make('div', { className: 'mark' }),
    status,
    make('footer', {}, retry, main, done),
  )
  const dialog = make('dialog', { ariaLabel: messages.heading }, form)

  const blank = read()
  let isOpen = false
  let view: View
  /** The draft that is being sent. */
  let sending: Draft | undefined
  /** A draft that was not accepted while the person was already writing another one. */
  let failed: Draft | undefined
  let attachments: Attachments | undefined

  function read(): Draft {
    return Object.fromEntries(new FormData(form)) as Record<string, string>
  }

  function write(draft: Draft): void {
    for (const [name, value] of Object.entries(draft)) {
      const control = form.elements.namedItem(name) as HTMLInputElement | null
      if (control) control.value = value
    }
    attachments?._restore(draft)
    keepDraft(draft)
  }

  const clear = () => write(blank)

  function show(next: View, ...texts: (Node | string)[]): void {
    view = next
    form.className = view
    status.replaceChildren(...texts)
    retry.hidden = !failed
    main.textContent =
      view === 'sending' ? messages.sending : view === 'failed' && !failed ? messages.retry : messages.submit
  }

  async function send(draft: Draft): Promise<void> {
    sending = draft
    failed = undefined
    show('sending', messages.sending)
    const detail = await submit(compose(draft))
    if (sending === draft) sending = undefined
    const now = read()
    // If the person has started another report in the meantime, the form stays as it is.
    const isOther = !isSame(now, draft) && !isSame(now, blank)
    if (detail.status === 'dropped') {
      if (isOther) failed = draft
      else write(draft)
      show('failed', messages[detail.reason as 'disabled'] ?? messages.dropped)
    } else {
      const hadFocus = form.matches(':focus-within')
      if (!isOther) clear()
      show(isOther || !isOpen ? 'form' : 'end', ...confirm(detail))
      if (view === 'end' && hadFocus) done.focus()
    }
    host.dispatchEvent(new CustomEvent('bugle-result', { detail }))
  }

  function confirm(result: ReportResult & { status: 'sent' | 'queued' }): (Node | string)[] {
    if (result.status === 'queued') return [result.reason === 'offline' ? messages.offline : messages.queued]
    return [messages.sent, make('div', {}, result.issueNumber ? messages.issue + result.issueNumber : '')]
  }

  function compose(draft: Draft): ReportContent {
    return { ...composeContent(draft, options), ...attachments?._filesOf(draft) }
  }

  /** Files and the trail are a part of their own. Without it, the form still works. */
  async function addAttachments(): Promise<void> {
    if (options.attachments === false && !findClient()?._trail) return
    const part = (await load('attach'))?.default as Attach | undefined
    attachments ??= part?._mount({ ...given, _input: files, _make: make })
    attachments?._render()
  }

  /** Lists what is sent besides the person's own words. */
  async function listAll(): Promise<void> {
    const sent = { _content: compose(read()), _client: findClient(), _version: SDK_VERSION }
    const part = (await load('extras'))?.default as Extras | undefined
    const list = await part?._makeList(make, sent, messages)
    if (list) details.replaceChildren(summary, list)
  }

  form.onsubmit = (event) => {
    event.preventDefault()
    const draft = read()
    // A title that consists of spaces counts as missing.
    if (!title.value.trim()) title.value = ''
    if (form.reportValidity() && !(sending && isSame(sending, draft))) void send(draft)
  }
  form.oninput = () => keepDraft(read())
  details.ontoggle = () => void listAll().catch(() => {})

  write(readDraft() ?? {})
  show('form')
  return {
    _dialog: dialog,
    _changed(isShown) {
      isOpen = isShown
      if (isShown) {
        if (view === 'end' || view === 'form') show('form')
        title.focus()
        void addAttachments().catch(() => {})
        if (host.getAttribute('suggestions') !== 'off')
          void loadSoon('suggestions', load).then((part) =>
            (part as Suggestions | undefined)?._mount(given, known),
          )
        // The queue has the report that is being sent, so the form can be used for another one.
      } else if (sending && isSame(read(), sending)) clear()
    },
  }
}

function row(label: string, control: HTMLElement): HTMLElement {
  return make('label', {}, make('span', {}, label), control)
}

function button(
  text: string,
  className: string,
  onclick: () => void,
  ariaLabel: string | null = null,
): HTMLButtonElement {
  return make('button', { type: 'button', className, onclick, ariaLabel }, text)
}

function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
