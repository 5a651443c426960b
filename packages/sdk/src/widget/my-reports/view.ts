import type { MyReport } from '../../core/conversations/types.ts'
import { guard } from '../../core/guard.ts'
import { make } from '../make.ts'
import { createConversationView } from './conversation-view.ts'
import { makeButton } from './make-button.ts'
import { syncChildren } from './sync-children.ts'
import type { ViewHost } from './view-host.ts'

/** The list of a person's own reports, and the conversation about each. */
export interface View {
  readonly _element: HTMLElement
  /** Shows the list, and asks the server. */
  _show(): void
  _hide(): void
  /** Shows what has changed. */
  _render(): void
}

export function createView(given: ViewHost): View {
  const { _conversations: conversations, _messages: messages, _texts: texts } = given
  const { _makeTime: makeTime, _leave: leave, _close: close } = given
  const conversation = createConversationView(given)
  const back = makeButton('', goBack, 'cross back', texts.back)
  const heading = make(given._heading, {})
  const facts = make('div', { className: 'facts' })
  const note = make('p', { role: 'status', tabIndex: -1 })
  const list = make('ul', {})
  const empty = make('div', { className: 'empty' }, make('b', {}, texts.empty), texts.emptyHint)
  const link = make('div', { className: 'link' })
  const pane = make('div', { className: 'pane' }, list, empty, link)
  const element = make(
    'section',
    { className: 'mine' },
    make('header', {}, back, heading, close ? makeButton('', close, 'cross', messages.close) : ''),
    facts,
    note,
    pane,
    conversation._element,
  )

  let isShown = false
  /** Whether the server has not responded; `undefined` until that is known. */
  let hasFailed: boolean | undefined
  let opened: string | undefined
  let address: string | undefined
  let said = ''

  async function refresh(): Promise<void> {
    hasFailed = !(await conversations.refresh())
    render()
  }

  function goBack(): void {
    const id = opened
    if (!id) {
      leave?.()
      return
    }
    openReport(undefined)
    focusList(id)
  }

  function openReport(report: MyReport | undefined): void {
    opened = report?.id
    conversation._close()
    render()
    if (report) conversation._open(report.id, titleOf(report))
  }

  /** The focus is on a report, or where one can go on from. */
  function focusList(id?: string): void {
    const buttons = list.querySelectorAll('button')
    const target = [...buttons].find((button) => button.value === id) ?? buttons[0] ?? back
    target.focus()
  }

  function render(): void {
    if (!isShown) return
    const { reports, isCurrent } = conversations.read()
    const report = reports.find(({ id }) => id === opened)
    // Another person uses the app now, or the report was deleted.
    if (opened && !report) {
      openReport(undefined)
      focusList()
      return
    }
    const isBehind = hasFailed && !isCurrent
    heading.textContent = report ? titleOf(report) : texts.heading
    facts.replaceChildren(...(report ? factsOf(report) : []))
    pane.hidden = !!report
    conversation._element.hidden = !report
    back.hidden = !report && !leave
    empty.hidden = hasFailed == null || isBehind || !!reports[0]
    const isLoading = hasFailed == null && !reports[0]
    const why = isBehind
      ? navigator.onLine
        ? texts.outdated
        : texts.offline
      : isLoading
        ? texts.loading
        : ''
    if (said !== why) {
      said = why
      const hadFocus = note.matches(':focus-within')
      note.replaceChildren(
        ...(why ? [make('div', {}, why), isLoading ? '' : makeButton(messages.retry, refresh)] : []),
      )
      if (hadFocus) note.focus()
    }
    syncChildren(
      list,
      reports.map((one) => ({
        _key: one.id,
        _content: JSON.stringify(one),
        _make: () => makeItem(one),
      })),
    )
    const wanted = reports[0] && close && conversations.link()
    if (address !== wanted) {
      address = wanted
      link.replaceChildren(...(wanted ? makeLink(wanted) : []))
    }
    conversation._render()
  }

  function makeItem(report: MyReport): HTMLElement {
    const { id, unreadCount } = report
    const item = makeButton('', () => openReport(report), unreadCount ? 'unread' : '')
    item.value = id
    item.append(
      make('b', { dir: 'auto' }, titleOf(report)),
      make('div', { className: 'facts' }, ...factsOf(report)),
      unreadCount ? make('div', { className: 'new' }, texts.unread + unreadCount) : '',
    )
    return make('li', {}, item)
  }

  function titleOf({ title }: MyReport): string {
    return title ?? texts.untitled
  }

  function factsOf({ status, fixedIn, receivedAt }: MyReport): readonly HTMLElement[] {
    return [
      make(
        'div',
        { className: `status ${status}` },
        fixedIn ? texts.fixedIn + fixedIn.appVersion : (texts.statuses[status] ?? status),
      ),
      makeTime(receivedAt),
    ]
  }

  /** The page that shows the same. */
  function makeLink(href: string): readonly (Node | string)[] {
    const copy = makeButton(texts.copyLink, async () => {
      try {
        await navigator.clipboard.writeText(href)
        copy.textContent = texts.copied
      } catch {
        // Not allowed, as in a frame.
        copy.replaceWith(href)
      }
    })
    return [
      make('a', { href, target: 'my-reports', rel: 'noreferrer' }, texts.openPage),
      copy,
      texts.linkHint,
    ]
  }

  return {
    _element: element,
    _show() {
      isShown = true
      openReport(undefined)
      focusList()
      void refresh()
    },
    _hide() {
      isShown = false
      conversation._close()
    },
    _render: render,
  }
}

/** Shows times in a language, by default that of the browser. */
export function timesIn(language: string | undefined): (time: string) => HTMLElement {
  const format = guard(
    (time: string) => new Date(time).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }),
    // Some systems have languages that browsers do not know, such as `en-US@posix`.
    (time) => new Date(time).toLocaleString(),
  )
  return (dateTime) => make('time', { dateTime }, format(dateTime))
}
