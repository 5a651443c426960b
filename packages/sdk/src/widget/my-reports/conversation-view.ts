import { MAX_MESSAGE_CHARS } from '@bugle/contract/vocabulary'
import type { Message } from '../../core/conversations/types.ts'
import { make } from '../make.ts'
import { makeButton } from './make-button.ts'
import { syncChildren } from './sync-children.ts'
import type { ViewHost } from './view-host.ts'

/** The conversation about one report at a time, with a field to write. */
export interface ConversationView {
  readonly _element: HTMLElement
  /** Shows the conversation about a report with this title, and keeps it up to date. */
  _open(reportId: string, title: string): void
  _close(): void
  /** Shows what has changed. */
  _render(): void
}

export function createConversationView({
  _conversations: conversations,
  _messages: messages,
  _texts: texts,
  _makeTime: makeTime,
}: ViewHost): ConversationView {
  const hint = make('div', { className: 'hint' })
  const list = make('ol', {})
  const log = make('div', { className: 'log', role: 'log', tabIndex: 0 }, hint, list)
  const field = make('textarea', {
    rows: 2,
    maxLength: MAX_MESSAGE_CHARS,
    ariaLabel: texts.message,
    placeholder: texts.message,
  })
  const problem = make('div', { className: 'problem', role: 'alert' })
  const form = make('form', {}, problem, field, make('button', { className: 'main' }, texts.send))

  /** What was written and not sent yet, by report. */
  const drafts = new Map<string | undefined, string>()
  let opened: string | undefined
  let stop = () => {}
  /** While there are any, messages that are queued are shown as being sent. */
  let tasks = 0

  function open(reportId: string, title: string): void {
    close()
    opened = reportId
    log.ariaLabel = title
    write(drafts.get(reportId) ?? '')
    list.replaceChildren()
    stop = conversations.open(reportId)
    document.addEventListener('visibilitychange', render)
    render()
    log.focus()
  }

  function close(): void {
    stop()
    document.removeEventListener('visibilitychange', render)
    opened = undefined
  }

  function write(text: string, why = ''): void {
    field.value = text
    problem.textContent = why
    drafts.set(opened, text)
  }

  function render(): void {
    if (!opened) return
    const { messages: shown, hasEarlier } = conversations.readMessages(opened)
    const isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 40
    hint.textContent = hasEarlier ? texts.earlier : shown[0] ? '' : whyEmpty()
    syncChildren(
      list,
      shown.map((message) => ({
        _key: message.id,
        _content: JSON.stringify([message, message.state && tasks > 0]),
        _make: () => makeMessage(message),
      })),
    )
    if (isAtEnd) log.scrollTop = log.scrollHeight
    // Another tab may have received the reply, and is the one that the person sees.
    if (!document.hidden) conversations.markRead(opened)
  }

  /** Not every conversation is stored, so there may be replies that have not been received yet. */
  function whyEmpty(): string {
    const report = conversations.read().reports.find(({ id }) => id === opened)
    if (!report?.replyCount) return texts.noMessages
    return navigator.onLine ? texts.loading : texts.offline
  }

  function makeMessage({ id, from, text, createdAt, editedAt, state }: Message): HTMLElement {
    const remove = (next: string) => {
      conversations.discard(id)
      write(next)
      field.focus()
    }
    const parts =
      state === 'refused'
        ? [
            texts.refused,
            makeButton(texts.edit, () => remove(text)),
            makeButton(texts.discard, () => remove(field.value)),
          ]
        : !state
          ? []
          : tasks > 0
            ? [messages.sending]
            : [texts.queued ?? messages.queued, makeButton(messages.retry, retry)]
    return make(
      'li',
      { className: from },
      make(
        'div',
        { className: 'facts' },
        make('b', {}, from === 'team' ? texts.team : texts.you),
        makeTime(createdAt),
        editedAt ? texts.edited : '',
      ),
      make('div', { className: 'text', dir: 'auto' }, text),
      make('div', { className: 'facts' }, ...parts),
    )
  }

  function retry(): void {
    // The button goes away.
    log.focus()
    void run(conversations.refresh())
  }

  async function run<T>(task: Promise<T>): Promise<T> {
    tasks++
    render()
    const result = await task
    tasks--
    render()
    return result
  }

  async function send(): Promise<void> {
    const reportId = opened
    const text = field.value
    if (!reportId || !text.trim()) return
    write('')
    log.scrollTop = log.scrollHeight
    const result = await run(conversations.send(reportId, text))
    if (result.status !== 'dropped' || result.reason === 'refused') return
    // It is not in the list, so the text must not be lost.
    const why = result.reason === 'overflow' ? texts.overflow : texts.refused
    if (opened === reportId) write(text + field.value, why)
    else drafts.set(reportId, text)
  }

  form.onsubmit = (event) => {
    event.preventDefault()
    void send()
  }
  field.oninput = () => drafts.set(opened, field.value)
  field.onkeydown = ({ key, ctrlKey, metaKey }) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) void send()
  }
  return {
    _element: make('div', { className: 'conversation' }, log, form),
    _open: open,
    _close: close,
    _render: render,
  }
}
