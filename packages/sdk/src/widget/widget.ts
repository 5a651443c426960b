import { guard } from '../core/guard.ts'
import type { Extras } from './extras.ts'
import { make } from './make.ts'
import { findMessages, type LoadPart, languageOf, loadSoon, type Messages } from './messages.ts'
import type { MyReportsPart } from './my-reports/my-reports.ts'
import type { WidgetOptions } from './options.ts'
import { createPanel, type Panel } from './panel.ts'
import { STYLE } from './style.ts'
import { isPageDark, watchTheme } from './theme.ts'

/** The behaviour of the element. None of its methods throws. */
export interface Widget {
  _open(): void
  _close(): void
  /** Call it when the element was added to the page, removed from it, or has new attributes. */
  _changed(): void
}

/** On screens of this size the panel is a sheet. The style has the same query. */
const PHONE = '(max-width:30em)'

export function createWidget(host: HTMLElement, options: WidgetOptions, load: LoadPart): Widget | undefined {
  const frame = make('div', {})
  const root = host.attachShadow({ mode: 'open' })
  root.append(frame)
  guard(dress)(root)

  /** What is drawn, and for which language, attributes and options. */
  let drawn = ''
  let latest: string
  let messages: Messages
  let extras: Extras | undefined
  let reports: MyReportsPart | undefined
  let launcher: HTMLButtonElement
  let panel: Panel | undefined
  let isOpen = false
  let focusedBefore: Element | null
  let stopTheme: (() => void) | undefined
  let stopShortcut: (() => void) | undefined

  /** Draws what is needed, and shows it. Waits only for parts that are not built in. */
  async function draw(): Promise<void> {
    const language = languageOf(host)
    const [position, label, shortcut, mine] = ['position', 'label', 'shortcut', 'my-reports'].map((name) =>
      host.getAttribute(name),
    )
    const wanted = JSON.stringify([language, position, label, shortcut, mine, options])
    latest = wanted
    if (drawn !== wanted) {
      const found = await findMessages(language, Object(options.languages), load)
      if (shortcut || options.fields || options.email) extras = (await loadSoon('extras', load)) as Extras
      reports = mine == null ? undefined : ((await loadSoon('my-reports', load)) as MyReportsPart)
      // Another language may have been set meanwhile.
      if (!host.isConnected || latest !== wanted) return
      drawn = wanted
      messages = found
      panel = undefined
      launcher = make(
        'button',
        {
          type: 'button',
          className: 'launcher',
          onclick: toggle,
          ariaHasPopup: 'dialog',
          ariaLabel: label === '' ? messages.open : null,
        },
        make('slot', { name: 'icon' }, make('i', {})),
        label ?? messages.open,
      )
      frame.replaceChildren(launcher)
    }
    stopShortcut?.()
    stopShortcut = shortcut ? extras?._watchShortcut(shortcut, toggle) : undefined
    // The top layer is unaffected by z-index and transforms of the page.
    if (position !== 'inline') guard(float)(launcher)
    paint()
    if (isOpen) show()
    reports?._update({ _host: host, _launcher: launcher, _panel: panel, _messages: messages })
  }

  function paint(): void {
    const theme = host.getAttribute('theme')
    frame.className = 'frame'
    const isDark = theme === 'dark' || (theme !== 'light' && isPageDark(host, frame))
    frame.className += ` ${isDark ? 'dark' : 'light'} ${isOpen && 'open'} ${host.getAttribute('position')}`
  }

  function show(): void {
    if (!panel) {
      panel = createPanel({
        _host: host,
        _messages: messages,
        _options: options,
        _extras: extras,
        _load: load,
        _close: close,
      })
      const { _dialog: dialog } = panel
      dialog.oncancel = close
      // On a phone, a tap on the page closes the sheet.
      dialog.closedBy = 'any'
      frame.append(dialog)
    }
    const { _dialog: dialog } = panel
    hide(dialog)
    if (matchMedia(PHONE).matches) dialog.showModal()
    else guard(float, () => dialog.show())(dialog)
    panel._changed(true)
    // Without focus, the page has a modal dialog or a focus trap. Only another modal dialog works then.
    if (!root.activeElement) {
      hide(dialog)
      dialog.showModal()
      panel._changed(true)
    }
  }

  function open(): void {
    if (!isOpen) focusedBefore = root.activeElement ?? document.activeElement
    isOpen = true
    update()
  }

  function close(): void {
    if (!isOpen) return
    const hadFocus = root.activeElement
    isOpen = false
    paint()
    if (panel) hide(panel._dialog)
    panel?._changed(false)
    if (hadFocus) (focusedBefore as HTMLElement | null)?.focus()
  }

  function toggle(): void {
    if (isOpen) close()
    else open()
  }

  function update(): void {
    if (host.isConnected) void draw().catch(() => {})
  }

  // Keeps keystrokes from triggering the page's shortcuts: outside the shadow root, no field appears to have focus.
  for (const type of ['keydown', 'keyup', 'keypress'])
    host.addEventListener(type, (event) => event.stopPropagation())
  frame.onkeydown = ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) close()
  }

  return {
    _open: guard(open),
    _close: guard(close),
    _changed: guard(() => {
      stopTheme?.()
      stopShortcut?.()
      stopTheme = host.isConnected ? watchTheme(host, paint) : undefined
      // An element that is moved is removed first, and stays open.
      queueMicrotask(() => host.isConnected || guard(close)())
      update()
    }),
  }
}

function float(element: HTMLElement): void {
  element.popover = 'manual'
  element.togglePopover(true)
}

function hide(dialog: HTMLDialogElement): void {
  dialog.popover = null
  dialog.close()
}

/** Without constructable style sheets, in older browsers, the panel looks plain. A `style` element would need a nonce. */
function dress(root: ShadowRoot): void {
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  root.adoptedStyleSheets = [style]
}
