import { startConversations } from '../../conversations/browser.ts'
import type { Conversations } from '../../core/conversations/types.ts'
import type { BugleReportElement } from '../element.ts'
import { make, makeStyle } from '../make.ts'
import { languageOf, type Messages } from '../messages.ts'
import type { Panel } from '../panel.ts'
import { makeButton } from './make-button.ts'
import { ENGLISH, type ReportsMessages } from './reports-messages.ts'
import { REPORTS_STYLE } from './reports-style.ts'
import { createView, timesIn, type View } from './view.ts'

const addStyle = makeStyle(REPORTS_STYLE)

/** "My reports" in the widget: a view in the panel, and the number of unread replies on the button. */
const myReports: MyReportsPart = { _update: update }
export default myReports

export interface MyReportsPart {
  /** Call it whenever the widget was drawn. */
  _update(given: DrawnWidget): void
}

/** The elements that the widget has drawn. */
export interface DrawnWidget {
  readonly _host: HTMLElement
  /** Another one if the widget was drawn anew. */
  readonly _launcher: HTMLButtonElement
  /** `undefined` until it is shown for the first time. */
  readonly _panel: Panel | undefined
  readonly _messages: Messages
}

const mounted = new WeakMap<HTMLElement, (panel: Panel | undefined) => void>()

function update(given: DrawnWidget): void {
  const { _launcher: launcher, _panel: panel } = given
  const updateOne = mounted.get(launcher) ?? mount(given)
  mounted.set(launcher, updateOne)
  updateOne(panel)
}

function mount({ _host: host, _launcher: launcher, _messages: messages }: DrawnWidget) {
  const element = host as BugleReportElement
  const texts: ReportsMessages = { ...ENGLISH, ...messages.reports }
  const opener = makeButton('', showView, 'opener')
  let conversations: Conversations | undefined
  let stop = () => {}
  let panel: Panel | undefined
  let view: View | undefined
  let unreadCount = 0
  let isWanted = false

  /** The app may have started only now, or closed and started again. */
  function start(): void {
    const found = startConversations()
    if (found !== conversations) {
      end()
      view?._element.remove()
      view = undefined
      conversations = found
      if (found) stop = found.subscribe(render)
    }
    render()
  }

  function end(): void {
    stop()
    conversations = undefined
  }

  function render(): void {
    // An element that is added to the page again is updated, and then starts again.
    if (!launcher.isConnected) {
      end()
      return
    }
    const before = unreadCount
    unreadCount = conversations?.read().unreadCount ?? 0
    const text = unreadCount ? `${unreadCount}` : ''
    launcher.querySelector('.badge')?.remove()
    opener.replaceChildren(texts.heading)
    for (const button of [launcher, opener]) {
      button.title = text && texts.unread + text
      if (text) button.append(make('b', { className: 'badge', ariaHidden: 'true' }, text))
    }
    view?._render()
    if (unreadCount !== before) host.dispatchEvent(new CustomEvent('bugle-unread', { detail: unreadCount }))
  }

  function showView(): void {
    const { _dialog: dialog } = panel as Panel
    start()
    if (!conversations) return
    if (!view) {
      view = createView({
        _conversations: conversations,
        _messages: messages,
        _texts: texts,
        _makeTime: timesIn(languageOf(host)),
        _heading: 'h2',
        _leave() {
          arrange(false)
          opener.focus()
        },
        _close: () => element.close(),
      })
      dialog.append(view._element)
    }
    arrange(true)
    view._show()
  }

  /** Shows the view or the form. */
  function arrange(isView: boolean): void {
    const { _dialog: dialog } = panel as Panel
    dialog.ariaLabel = isView ? texts.heading : messages.heading
    ;(dialog.firstChild as HTMLElement).hidden = isView
    if (!view) return
    view._element.hidden = !isView
    if (!isView) view._hide()
  }

  function add(given: Panel): void {
    const { _dialog: dialog, _changed: changed } = given
    panel = given
    dialog.querySelector('.cross')?.before(opener)
    given._changed = (isShown) => {
      // The form takes the focus, so it must be visible.
      arrange(false)
      changed(isShown)
      if (isShown) choose()
    }
    choose()
  }

  /** People who have unread replies see them first. */
  function choose(): void {
    start()
    if (isWanted || unreadCount) showView()
    isWanted = false
  }

  addStyle(host.shadowRoot as ShadowRoot)
  element.openReports = () => {
    isWanted = true
    element.open()
  }
  return (given: Panel | undefined) => {
    start()
    if (given && given !== panel) add(given)
  }
}
