import { findClient } from '../../core/api.ts'
import type { ReportResult } from '../../core/types.ts'
import type { Editor } from '../editor/editor.ts'
import { makeStyle } from '../make.ts'
import type { AttachHost } from './attach-host.ts'
import { type AttachMessages, ENGLISH } from './attach-messages.ts'
import { ATTACH_STYLE } from './attach-style.ts'
import { canCapture, captureByApp, captureDisplay } from './capture.ts'
import {
  addEntry,
  addFile,
  changeEntry,
  type Entry,
  entries,
  type Refusal,
  removeEntry,
  revisionOfEntries,
} from './entries.ts'
import { makeIcon } from './icons.ts'
import { contextOf, decode, encode } from './images.ts'

const CLIP =
  'M13 7.500 8 12.400a3 3 0 0 1-4.300-4.300l5.300-5.200a2 2 0 0 1 2.900 2.900L6.700 11a1 1 0 0 1-1.500-1.400l4.500-4.400'
const CAMERA =
  'M2 5.500V3.500A1.500 1.500 0 0 1 3.500 2h2M10.500 2h2A1.500 1.500 0 0 1 14 3.500v2M14 10.500v2a1.500 1.500 0 0 1-1.500 1.500h-2M5.500 14h-2A1.500 1.500 0 0 1 2 12.500v-2M8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5'
const THUMBNAIL = { width: 160, height: 112 }

const addStyle = makeStyle(ATTACH_STYLE)

/** The controls for files. */
export interface View {
  _isTrailSent(): boolean
  _render(): void
}

/** The person's choice about the trail, for all reports of this page. */
let isTrailSent = true

export function createView(given: AttachHost): View {
  const {
    _host: host,
    _input: input,
    _messages: messages,
    _options: options,
    _make: make,
    _load: load,
  } = given
  const texts: AttachMessages = { ...ENGLISH, ...messages.attach }
  const form = input.form as HTMLFormElement
  const root = form.getRootNode() as ShadowRoot
  const summary = form.querySelector('summary') as HTMLElement
  const main = form.querySelector('.main') as HTMLButtonElement
  const picker = make('input', { type: 'file', multiple: true, hidden: true })
  const addButton = button(texts.add, CLIP, () => picker.click())
  const list = make('ul', {})
  const note = make('div', { className: 'note', role: 'alert' })
  const shown = new Map<number, Row>()
  const trail = make('input', { type: 'checkbox' })

  function button(text: string, icon: string, onclick: () => void): HTMLButtonElement {
    return make('button', { type: 'button', onclick }, makeIcon(icon), text)
  }

  function say(text: string, isWarning = false): void {
    note.textContent = text
    note.classList.toggle('warning', isWarning)
  }

  let tasks = 0

  /** A report is not sent while its files are being prepared: it would lack them. */
  async function prepare(task: () => Promise<void>): Promise<void> {
    tasks++
    main.disabled = true
    say('')
    try {
      await task()
    } finally {
      main.disabled = --tasks > 0
      render()
      // A draft with files differs from one without.
      form.dispatchEvent(new Event('input'))
    }
  }

  const countReserved = () => Number(isTrailSent && !!findClient()?._trail)

  function add(files: Iterable<File>): Promise<void> {
    // The browser may clear the list as soon as the event has ended.
    const all = [...files]
    return prepare(async () => {
      for (const file of all) judge(await addFile(file, countReserved()))
    })
  }

  function judge(added: Entry | Refusal): Entry | undefined {
    if (typeof added !== 'string') return added
    say(texts[added])
    return undefined
  }

  function capture(): Promise<void> {
    return prepare(async () => {
      const frame = root.querySelector('.frame')
      frame?.classList.add('away')
      let entry: Entry | undefined
      try {
        const { takeScreenshot } = options
        const { canvas, isMasked } = await (takeScreenshot ? captureByApp(takeScreenshot) : captureDisplay())
        const file = await encode(canvas, 'screenshot', 'image/png')
        entry = judge(addEntry({ file, isImage: true, isUnchecked: !isMasked }, countReserved()))
      } catch {
        // The person has chosen nothing, or the page is not allowed to ask.
        say(texts.noScreenshot, true)
      } finally {
        frame?.classList.remove('away')
        captureButton?.focus()
      }
      if (entry) await edit(entry)
    })
  }

  async function edit(entry: Entry): Promise<void> {
    const { id, file } = entry
    const editor = (await load('editor'))?.default as Editor | undefined
    const canvas = await editor?._edit({
      _image: await decode(file),
      _root: root,
      _make: make,
      _makeIcon: makeIcon,
      _messages: messages,
      _note: entry.isUnchecked ? texts.check : '',
    })
    if (canvas) changeEntry(id, { file: await encode(canvas, file.name, file.type) })
  }

  function render(): void {
    input.value = revisionOfEntries()
    for (const [id, row] of shown) {
      if (entries.some((entry) => entry.id === id)) continue
      row._element.remove()
      shown.delete(id)
    }
    for (const entry of entries) {
      const row = shown.get(entry.id) ?? createRow(entry)
      row._update(entry)
    }
    const ticked = entries.filter(({ isTicked }) => isTicked)
    if (ticked.some(({ isUnchecked }) => isUnchecked)) say(texts.check, true)
    else if (note.textContent === texts.check) say('')
    const hasTrail = !!findClient()?._trail
    trail.checked = isTrailSent
    trailLabel.hidden = !hasTrail
    summary.textContent =
      (options.context === false ? messages.includedDevice : messages.included) +
      (hasTrail && isTrailSent ? messages.trail : '') +
      (ticked[0] ? texts.files + ticked.length : '')
    // An open list of what is sent is updated.
    const details = summary.parentElement as HTMLDetailsElement
    if (details.open) details.dispatchEvent(new Event('toggle'))
  }

  interface Row {
    readonly _element: HTMLElement
    _update(entry: Entry): void
  }

  function createRow({ id, isImage: hasPixels }: Entry): Row {
    const tick = make('input', { type: 'checkbox' })
    const thumbnail = make('canvas', { ...THUMBNAIL, ariaHidden: 'true' })
    const name = make('span', {})
    let current: Entry
    tick.onchange = () => {
      changeEntry(id, { isTicked: tick.checked })
      changed()
    }
    const startEditing = () => void prepare(() => edit(current)).catch(fail)
    const editButton = make('button', { type: 'button', onclick: startEditing }, texts.edit)
    if (hasPixels)
      thumbnail.onclick = (event) => {
        // It would also change the tick.
        event.preventDefault()
        startEditing()
      }
    const cross = make('button', {
      type: 'button',
      className: 'cross',
      onclick() {
        removeEntry(id)
        changed()
        addButton.focus()
      },
    })
    const element = make(
      'li',
      { className: hasPixels ? 'pixels' : '' },
      make('label', { className: 'tick' }, tick, thumbnail, name),
      ...(hasPixels ? [editButton] : []),
      cross,
    )
    list.append(element)
    const row: Row = {
      _element: element,
      _update(entry) {
        const { file, isTicked } = entry
        tick.checked = isTicked
        if (current?.file !== file) {
          name.replaceChildren(file.name, make('small', {}, sizeOf(file.size)))
          name.title = file.name
          editButton.setAttribute('aria-label', `${texts.edit} ${file.name}`)
          cross.setAttribute('aria-label', `${texts.remove} ${file.name}`)
          drawThumbnail(thumbnail, file, hasPixels).catch(() => {})
        }
        current = entry
      },
    }
    shown.set(id, row)
    return row
  }

  function changed(): void {
    say('')
    render()
    form.dispatchEvent(new Event('input'))
  }

  const fail = () => say(texts.unreadable)

  const captureButton =
    options.takeScreenshot || (options.takeScreenshot !== false && canCapture())
      ? button(texts.capture, CAMERA, () => void capture().catch(fail))
      : undefined
  const trailLabel = make('label', { className: 'tick trail' }, trail, make('span', {}, texts.steps))
  trail.onchange = () => {
    isTrailSent = trail.checked
    changed()
  }
  picker.onchange = () => {
    void add(picker.files ?? []).catch(fail)
    picker.value = ''
  }
  const box = make('div', { className: 'attach' })
  if (options.attachments !== false) {
    box.append(
      make('div', { className: 'buttons' }, addButton, ...(captureButton ? [captureButton] : []), picker),
      list,
      note,
    )
    takePasted(form, (files) => void add(files).catch(fail))
    takeDropped(form, (files) => void add(files).catch(fail))
  }
  box.append(trailLabel)
  input.after(box)
  addStyle(root)
  host.addEventListener('bugle-result', (event) => {
    const { trimmed = [] } = (event as CustomEvent<ReportResult>).detail
    if (trimmed.some((field) => /^attachments/.test(field)))
      form.querySelector('p')?.append(make('div', {}, texts.lost))
  })
  render()
  return { _isTrailSent: () => isTrailSent, _render: render }
}

function takePasted(form: HTMLFormElement, take: (files: FileList) => void): void {
  form.addEventListener('paste', (event) => {
    const { files, types } = event.clipboardData as DataTransfer
    // Cells of a table are text, and come with a picture of themselves.
    if (!files[0] || types.includes('text/plain')) return
    event.preventDefault()
    take(files)
  })
}

function takeDropped(form: HTMLFormElement, take: (files: FileList) => void): void {
  const listen = (type: 'dragover' | 'dragleave' | 'drop', listener: (data: DataTransfer) => void) =>
    form.addEventListener(type, (event) => {
      const { dataTransfer: data } = event
      if (!data?.types.includes('Files')) return
      event.preventDefault()
      form.classList.toggle('over', type === 'dragover')
      listener(data)
    })
  listen('dragover', (data) => {
    data.dropEffect = 'copy'
  })
  listen('dragleave', () => {})
  listen('drop', ({ files }) => take(files))
}

async function drawThumbnail(thumbnail: HTMLCanvasElement, file: File, hasPixels: boolean): Promise<void> {
  const { width, height } = THUMBNAIL
  thumbnail.width = width
  const context = contextOf(thumbnail)
  if (hasPixels) {
    const image = await decode(file)
    const scale = Math.max(width / image.width, height / image.height)
    const across = image.width * scale
    const down = image.height * scale
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, (width - across) / 2, 0, across, down)
    return
  }
  context.font = 'bold 28px system-ui,sans-serif'
  context.fillStyle = '#8b93a5'
  context.textAlign = 'center'
  context.fillText((/\.(\w{1,4})$/.exec(file.name)?.[1] ?? '•').toUpperCase(), width / 2, height / 2 + 10)
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}
