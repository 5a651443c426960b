import { PUBLIC_STATUS_NAMES, publishedStatus } from '@bugle/contract/vocabulary'
import { findClient } from '../../core/api.ts'
import { guard } from '../../core/guard.ts'
import { findKnownIssues, type KnownIssue } from '../../core/known-issues/known-issues.ts'
import { make, makeStyle } from '../make.ts'
import type { PanelHost } from '../panel-host.ts'
import { ENGLISH, FIXED_IN, type SuggestionsMessages } from './suggestions-messages.ts'
import { SUGGESTIONS_STYLE } from './suggestions-style.ts'

/** Shows known issues below the title while a person types it. */
const suggestions: Suggestions = { _mount: guard(mountOnce) }
export default suggestions

export interface Suggestions {
  /** Call it whenever the panel was shown. The input gets the id of the known issue that the person has chosen. */
  _mount(given: PanelHost, input: HTMLInputElement): void
}

const TYPING_PAUSE_MS = 600
/** How many titles the results are kept for. */
const MAX_KEPT = 50

const mounted = new WeakSet<HTMLElement>()
const addStyle = makeStyle(SUGGESTIONS_STYLE)

function mountOnce(given: PanelHost, input: HTMLInputElement): void {
  if (mounted.has(input)) return
  mounted.add(input)
  mount(given, input)
}

function mount({ _host: host, _messages: messages }: PanelHost, input: HTMLInputElement): void {
  const root = host.shadowRoot as ShadowRoot
  const form = input.form as HTMLFormElement
  const title = form.elements.namedItem('title') as HTMLInputElement
  const category = form.elements.namedItem('category') as HTMLSelectElement
  const texts: SuggestionsMessages = { ...ENGLISH, ...messages.suggestions }
  const line = make('div', { id: 'known', ariaLive: 'polite' }, make('div', {}, texts.note))
  const list = make('ul', { hidden: true })
  const toggle = make('button', { type: 'button', onclick: () => expand(!!list.hidden) })
  const area = make('div', { className: 'known' }, line, list)

  /** What was found, by title. */
  const kept = new Map<string, readonly KnownIssue[]>()
  let found: readonly KnownIssue[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const isOff = () => host.getAttribute('suggestions') === 'off' || category.value === 'security'
  const typed = () => (isOff() ? '' : title.value.trim())

  /** The title or the category may have changed. */
  function update(isComposing: boolean): void {
    clearTimeout(timer)
    area.classList.toggle('off', isOff())
    const wanted = typed()
    if (!wanted) show([])
    else if (!isComposing) timer = setTimeout(() => void find(wanted), TYPING_PAUSE_MS)
  }

  async function find(wanted: string): Promise<void> {
    // The panel was closed, or shows the confirmation.
    if (!title.getClientRects()[0]) return
    if (!kept.has(wanted)) {
      if (kept.size >= MAX_KEPT) kept.clear()
      // Before the response, so that the same title is not sent again.
      kept.set(wanted, [])
      const issues = await findKnownIssues(findClient(), { title: wanted, category: category.value })
      if (issues) kept.set(wanted, issues)
      else kept.delete(wanted)
    }
    // The person may have typed more in the meantime.
    if (typed() === wanted) show(kept.get(wanted) ?? [])
  }

  function show(next: readonly KnownIssue[]): void {
    if (JSON.stringify(next) === JSON.stringify(found)) return
    found = next
    // The person may already be in the list.
    const hadFocus = area.matches(':focus-within')
    list.replaceChildren(...found.map(makeItem))
    toggle.textContent = texts.found + found.length
    if (found[0]) line.append(toggle)
    else toggle.remove()
    expand(hadFocus || root.activeElement === title)
    if (hadFocus) (found[0] ? toggle : title).focus()
  }

  function expand(isExpanded: boolean): void {
    list.hidden = !isExpanded || !found[0]
    toggle.ariaExpanded = `${!list.hidden}`
  }

  function makeItem({ id, title: name, text, status, fixedIn, hasFix }: KnownIssue): HTMLElement {
    const shown = publishedStatus(status)
    const statuses: Readonly<Record<string, string>> = {
      ...PUBLIC_STATUS_NAMES,
      ...messages.reports?.statuses,
    }
    const version = hasFix === false && findClient()?._device().appVersion
    const fix = fixedIn
      ? (messages.reports?.fixedIn ?? FIXED_IN) +
        fixedIn.appVersion +
        (version ? texts.youHave + version : '')
      : ''
    return make(
      'li',
      {},
      make('b', { dir: 'auto' }, name),
      make('div', { className: `state ${shown}` }, fix || (statuses[shown] ?? shown)),
      text ? make('div', { dir: 'auto' }, text) : '',
      make(
        'button',
        { type: 'button', ariaLabel: `${texts.same}: ${name}`, onclick: () => choose(id) },
        texts.same,
      ),
    )
  }

  function choose(id: string): void {
    input.value = id
    form.requestSubmit()
    // A field of the app is missing.
    if (form.className !== 'sending') input.value = ''
  }

  for (const type of ['input', 'compositionend'])
    form.addEventListener(type, (event) => {
      if (event.target !== title && event.target !== category) return
      // The choice was made for another title.
      input.value = ''
      update(!!(event as InputEvent).isComposing)
    })
  form.addEventListener('submit', () => clearTimeout(timer))
  for (const type of ['focusin', 'pointerdown'])
    form.addEventListener(type, (event) => {
      const target = event.target as Node
      if (target === title) {
        // The form may have been cleared: the panel focuses the title when it is shown again.
        if (!typed()) update(true)
        expand(true)
      } else if (!area.contains(target)) expand(false)
    })
  area.onkeydown = title.onkeydown = (event) => {
    if (event.key !== 'Escape' || event.isComposing || list.hidden) return
    // Closes the list, and not the panel.
    event.stopPropagation()
    event.preventDefault()
    title.focus()
    expand(false)
  }

  addStyle(root)
  title.setAttribute('aria-describedby', line.id)
  title.parentElement?.after(area)
  update(true)
}
