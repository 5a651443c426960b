import { type Finding, findSections, type Section, wordsOf } from './find-sections.ts'

const LIST_ID = 'search-results'

/** Searches the guides, the reference and the problems as you type. The index is fetched on first use. */
export function startSearch(): void {
  const place = document.querySelector<HTMLElement>('.search')
  if (place === null) return
  const field = createField()
  const list = createList()
  place.append(field, list)
  place.hidden = false

  let sections: Promise<readonly Section[]> | undefined
  let options: readonly HTMLElement[] = []
  let cursor = -1

  async function load(): Promise<readonly Section[]> {
    const response = await fetch(place?.dataset['index'] ?? '')
    if (!response.ok) throw new Error(`The search index could not be loaded: ${response.status}`)
    return response.json()
  }

  async function search(): Promise<void> {
    const query = field.value
    sections ??= load()
    try {
      const found = findSections(await sections, query)
      // If the input has changed, a newer search shows its results.
      if (query === field.value) show(found, query)
    } catch {
      // Fetched again at the next keystroke.
      sections = undefined
      say('The search could not be loaded. Check your connection and try again.')
    }
  }

  function show(found: readonly Finding[], query: string): void {
    const words = wordsOf(query)
    options = found.map((finding, index) => createOption(finding, index, words))
    list.replaceChildren(...options)
    if (words.length === 0) close()
    else if (found.length === 0) say('No results')
    else {
      open()
      moveTo(0)
    }
  }

  function say(words: string): void {
    const line = document.createElement('p')
    line.textContent = words
    // A listbox may contain only options, so the message is an option without a target.
    line.role = 'option'
    line.ariaDisabled = 'true'
    options = []
    list.replaceChildren(line)
    open()
    moveTo(-1)
  }

  function open(): void {
    list.hidden = false
    field.ariaExpanded = 'true'
  }

  function close(): void {
    list.hidden = true
    field.ariaExpanded = 'false'
    moveTo(-1)
  }

  function moveTo(index: number): void {
    cursor = index
    for (const [at, option] of options.entries()) option.ariaSelected = String(at === index)
    const current = options[index]
    if (current === undefined) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', current.id)
    current?.scrollIntoView({ block: 'nearest' })
  }

  field.addEventListener('focus', () => {
    sections ??= load()
    // A failure is reported when the index is needed: see `search`.
    sections.catch(() => undefined)
    if (field.value !== '') void search()
  })
  field.addEventListener('input', () => void search())
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) moveTo((cursor + step + options.length) % options.length)
    else if (event.key === 'Enter') options[cursor]?.click()
    else if (event.key === 'Escape' && !list.hidden) close()
    else return
    event.preventDefault()
  })
  // A click on a result would take the focus from the field, and the results would close before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', close)
  field.addEventListener('blur', close)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}

function createField(): HTMLInputElement {
  const field = document.createElement('input')
  field.type = 'search'
  field.placeholder = 'Search the docs'
  field.autocomplete = 'off'
  field.role = 'combobox'
  field.ariaLabel = 'Search the documentation'
  field.ariaExpanded = 'false'
  field.setAttribute('aria-controls', LIST_ID)
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-keyshortcuts', '/')
  return field
}

function createList(): HTMLElement {
  const list = document.createElement('div')
  list.id = LIST_ID
  list.role = 'listbox'
  list.ariaLabel = 'Results'
  list.hidden = true
  return list
}

/** A link, so that it can be opened in another tab too. */
function createOption({ title, page, path, excerpt }: Finding, index: number, words: readonly string[]) {
  const option = document.createElement('a')
  option.id = `${LIST_ID}-${index}`
  option.role = 'option'
  option.href = path
  option.tabIndex = -1
  const heading = document.createElement('span')
  heading.className = 'title'
  heading.append(...marked(title, words))
  const where = document.createElement('span')
  where.className = 'page'
  where.textContent = title === page ? '' : page
  const text = document.createElement('span')
  text.className = 'excerpt'
  text.append(...marked(excerpt, words))
  option.append(heading, where, text)
  return option
}

/** The text with the matching words highlighted. */
function marked(text: string, words: readonly string[]): readonly (string | HTMLElement)[] {
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'gi')
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
