import { make } from '../widget/make.ts'
import { findMessages, type LoadPart } from '../widget/messages.ts'
import { ENGLISH, type ReportsMessages } from '../widget/my-reports/reports-messages.ts'
import { REPORTS_STYLE } from '../widget/my-reports/reports-style.ts'
import { createView, timesIn } from '../widget/my-reports/view.ts'
import { STYLE } from '../widget/style.ts'
import { readLink } from './link.ts'
import { openConversations } from './open-conversations.ts'
import { languageWithTexts, pageMessagesIn } from './page-messages.ts'
import { PAGE_STYLE } from './page-style.ts'

/** The server does not accept the key. */
const REFUSALS = [401, 403]

/** Shows the reports behind the link that this page was opened with. */
export async function showPage(load: LoadPart): Promise<void> {
  const { language } = navigator
  document.documentElement.lang = languageWithTexts(language)
  document.adoptedStyleSheets = [STYLE, REPORTS_STYLE, PAGE_STYLE].map((text) => {
    const style = new CSSStyleSheet()
    style.replaceSync(text)
    return style
  })
  const messages = await findMessages(language, {}, load)
  const own = pageMessagesIn(language)
  const texts: ReportsMessages = {
    ...ENGLISH,
    ...messages.reports,
    empty: own.none[0],
    emptyHint: own.none[1],
  }
  const main = make('main', {})
  const frame = make('div', {}, main)
  document.title = texts.heading
  document.body.replaceChildren(frame)
  followTheme(frame)
  // Another link was opened in the same tab.
  addEventListener('hashchange', () => location.reload())

  function fail([text, hint]: readonly [string, string]): void {
    frame.replaceChildren(main)
    main.replaceChildren(make('div', { className: 'empty', role: 'alert' }, make('h1', {}, text), hint))
  }

  const link = readLink(location.href)
  if (!link) {
    fail(own.incomplete)
    return
  }
  const conversations = openConversations(link, (status) => {
    if (!REFUSALS.includes(status)) return
    conversations.stop()
    view._hide()
    fail(own.refused)
  })
  const view = createView({
    _conversations: conversations,
    _messages: messages,
    _texts: texts,
    _makeTime: timesIn(language),
    _heading: 'h1',
  })
  conversations.subscribe(() => {
    const { unreadCount } = conversations.read()
    document.title = (unreadCount ? `(${unreadCount}) ` : '') + texts.heading
    view._render()
  })
  main.append(view._element)
  frame.append(make('footer', {}, texts.linkHint))
  view._show()
}

function followTheme(frame: HTMLElement): void {
  const scheme = matchMedia('(prefers-color-scheme:dark)')
  const paint = () => {
    frame.className = `frame ${scheme.matches ? 'dark' : 'light'}`
  }
  scheme.onchange = paint
  paint()
}
