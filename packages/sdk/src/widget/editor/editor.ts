import type { makeIcon } from '../attach/icons.ts'
import type { make } from '../make.ts'
import type { Messages } from '../messages.ts'
import { type EditorMessages, ENGLISH } from './editor-messages.ts'
import { EDITOR_STYLE } from './editor-style.ts'
import { drawAll, findCrop, type Mark, type Point, TOOLS, type Tool, textSizeOf } from './marks.ts'

/** The editor for images. It is loaded when a person edits one. */
const editor: Editor = { _edit: edit }
export default editor

export interface Editor {
  /** Lets a person draw on the image. Resolves with its new pixels, or with nothing if they cancel. */
  _edit(given: EditorHost): Promise<HTMLCanvasElement | undefined>
}

export interface EditorHost {
  readonly _image: HTMLCanvasElement
  readonly _root: ShadowRoot
  readonly _make: typeof make
  readonly _makeIcon: typeof makeIcon
  readonly _messages: Messages
  /** What the person must know before the image is sent. */
  readonly _note: string
}

const ICONS: Readonly<Record<Tool | 'undo', string>> = {
  arrow: 'M3 13 13 3M6.500 3H13v6.500',
  box: 'M2.500 3.500h11v9h-11z',
  pen: 'M2 11c2-6 4-7 5-5s-2 6 0 6 3-4 5-4 1 2 2 2',
  text: 'M3 4.500V3h10v1.500M8 3v10M6 13h4',
  blackout: 'M2 4h12v8H2z',
  crop: 'M4.500 1v10.500H15M1 4.500h10.500V15',
  undo: 'M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6',
}
/** How far one press of an arrow key moves the pointer, in CSS pixels. */
const STEP = 8
const LARGE_STEP = 48
const MOVES: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

function edit({
  _image: image,
  _root: root,
  _make: make,
  _makeIcon: icon,
  _messages: messages,
  _note: note,
}: EditorHost): Promise<HTMLCanvasElement | undefined> {
  const texts: EditorMessages = { ...ENGLISH, ...messages.editor }
  const canvas = make('canvas', { tabIndex: 0 })
  canvas.setAttribute('role', 'application')
  canvas.setAttribute('aria-label', texts.canvas)
  const pointer = make('div', { className: 'pointer', hidden: true })
  const stage = make('div', { className: 'stage' }, canvas, pointer)
  const said = make('div', { className: 'said', role: 'status' })
  const buttons = TOOLS.map((name) => {
    const button = toolButton(name, () => choose(name))
    if (name === 'blackout') button.classList.add('solid')
    return button
  })
  const undoButton = toolButton('undo', undo)
  const tools = make('div', { className: 'tools', role: 'toolbar' }, ...buttons, undoButton)
  tools.setAttribute('aria-label', texts.tools)
  const cancel = make('button', { type: 'button' }, texts.cancel)
  const done = make('button', { type: 'button', className: 'main' }, texts.done)
  const bar = make(
    'div',
    { className: 'bar' },
    make('h2', { id: 'editor' }, texts.heading),
    tools,
    cancel,
    done,
  )
  const dialog = make(
    'dialog',
    { className: 'editor' },
    bar,
    make('div', { className: 'note', id: 'note' }, note),
    stage,
    said,
  )
  dialog.setAttribute('aria-labelledby', 'editor')
  if (note) dialog.setAttribute('aria-describedby', 'note')

  let marks: readonly Mark[] = []
  let draft: Mark | undefined
  let tool: Tool
  /** Where the keyboard draws, in pixels of the image. */
  let place: Point = { x: image.width / 2, y: image.height / 2 }
  let entry: HTMLInputElement | undefined

  function toolButton(name: Tool | 'undo', onclick: () => void): HTMLButtonElement {
    const button = make(
      'button',
      { type: 'button', onclick, title: texts[name] },
      icon(ICONS[name]),
      make('b', {}, texts[name]),
    )
    return button
  }

  function choose(next: Tool): void {
    entry?.blur()
    tool = next
    for (const [index, button] of buttons.entries())
      button.setAttribute('aria-pressed', `${TOOLS[index] === tool}`)
  }

  function undo(): void {
    entry?.blur()
    marks = marks.slice(0, -1)
    said.textContent = `${texts.undo} (${marks.length})`
    render()
  }

  function render(): void {
    drawAll(canvas, image, marks, draft)
    // A button that has the focus keeps it.
    undoButton.setAttribute('aria-disabled', `${!marks[0]}`)
    fit()
  }

  /** Shows the whole image, at most in its own size. */
  function fit(): void {
    const { clientWidth, clientHeight } = stage
    const scale = Math.min(clientWidth / canvas.width, clientHeight / canvas.height, 1) || 1
    const width = canvas.width * scale
    const height = canvas.height * scale
    Object.assign(canvas.style, {
      width: `${width}px`,
      height: `${height}px`,
      left: `${(clientWidth - width) / 2}px`,
      top: `${(clientHeight - height) / 2}px`,
    })
    put(pointer, place)
  }

  const scaleOf = () => canvas.getBoundingClientRect().width / canvas.width || 1

  /** Moves an element to a point of the image. */
  function put(element: HTMLElement, { x, y }: Point): void {
    const crop = findCrop(image, marks)
    element.style.left = `${canvas.offsetLeft + (x - crop.x) * scaleOf()}px`
    element.style.top = `${canvas.offsetTop + (y - crop.y) * scaleOf()}px`
  }

  function pointOf({ clientX, clientY }: PointerEvent): Point {
    const { left, top } = canvas.getBoundingClientRect()
    const crop = findCrop(image, marks)
    return clamp({ x: (clientX - left) / scaleOf() + crop.x, y: (clientY - top) / scaleOf() + crop.y })
  }

  function clamp({ x, y }: Point): Point {
    const crop = findCrop(image, marks)
    return {
      x: Math.min(Math.max(x, crop.x), crop.x + crop.width),
      y: Math.min(Math.max(y, crop.y), crop.y + crop.height),
    }
  }

  function begin(point: Point): void {
    if (tool === 'text') write(point)
    else draft = { tool, points: [point, point] }
  }

  function move(point: Point): void {
    if (!draft) return
    const [start] = draft.points as [Point]
    draft = { ...draft, points: draft.tool === 'pen' ? [...draft.points, point] : [start, point] }
    render()
  }

  function end(): void {
    const [start, ...rest] = draft?.points ?? []
    // A click draws nothing.
    const isDrawn = rest.some(({ x, y }) => Math.hypot(x - (start?.x ?? 0), y - (start?.y ?? 0)) > 2)
    if (draft && isDrawn) keep(draft)
    draft = undefined
    render()
  }

  function keep(mark: Mark): void {
    marks = [...marks, mark]
    said.textContent = `${texts[mark.tool]} (${marks.length})`
  }

  /** A field for a text at a point of the image. */
  function write(point: Point): void {
    entry?.blur()
    const field = make('input', { className: 'entry', maxLength: 200 })
    field.setAttribute('aria-label', texts.text)
    field.style.font = `bold ${textSizeOf(image) * scaleOf()}px/1.2 ${getComputedStyle(canvas).fontFamily}`
    put(field, point)
    stage.append(field)
    entry = field
    const finish = (isKept: boolean) => {
      if (entry !== field) return
      entry = undefined
      field.remove()
      if (isKept && field.value.trim()) keep({ tool: 'text', points: [point], text: field.value })
      render()
      canvas.focus()
    }
    field.onblur = () => finish(true)
    field.onkeydown = (event) => {
      if (event.isComposing || !['Enter', 'Escape'].includes(event.key)) return
      // Escape would close the editor.
      event.preventDefault()
      finish(event.key === 'Enter')
    }
    field.focus()
  }

  canvas.onpointerdown = (event) => {
    if (event.button) return
    // The focus stays in a new field for text.
    event.preventDefault()
    pointer.hidden = true
    if (event.pointerId) guardCapture(canvas, event.pointerId)
    begin(pointOf(event))
  }
  canvas.onpointermove = (event) => {
    const events = event.getCoalescedEvents?.() ?? []
    for (const one of events[0] ? events : [event]) move(pointOf(one))
  }
  canvas.onpointerup = end
  canvas.onpointercancel = end
  canvas.onkeydown = (event) => {
    const direction = MOVES[event.key]
    if (direction) {
      const step = (event.shiftKey ? LARGE_STEP : STEP) / scaleOf()
      place = clamp({ x: place.x + direction.x * step, y: place.y + direction.y * step })
      move(place)
    } else if (event.key === ' ' || event.key === 'Enter') {
      if (draft) end()
      else begin(place)
    } else return
    event.preventDefault()
    pointer.hidden = false
    put(pointer, place)
  }
  dialog.onkeydown = (event) => {
    // Escape would also close the panel.
    event.stopPropagation()
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && event.target !== entry) {
      event.preventDefault()
      undo()
    }
  }

  choose('arrow')
  const observer = new ResizeObserver(render)
  const style = new CSSStyleSheet()
  style.replaceSync(EDITOR_STYLE)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  root.querySelector('.frame')?.append(dialog)
  dialog.showModal()
  render()
  observer.observe(stage)
  buttons[0]?.focus()

  return new Promise<HTMLCanvasElement | undefined>((resolve) => {
    function close(result?: HTMLCanvasElement): void {
      observer.disconnect()
      dialog.close()
      dialog.remove()
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== style)
      resolve(result)
    }
    cancel.onclick = () => close()
    dialog.oncancel = (event) => {
      event.preventDefault()
      close()
    }
    // A browser may close a dialog without asking first.
    dialog.onclose = () => close()
    done.onclick = () => {
      entry?.blur()
      draft = undefined
      drawAll(canvas, image, marks)
      close(canvas)
    }
  })
}

function guardCapture(canvas: HTMLCanvasElement, id: number): void {
  try {
    canvas.setPointerCapture(id)
  } catch {
    // The pointer is gone already.
  }
}
