/** What is painted over: what the app marks, and fields for passwords and cards, also while a password is shown. */
const MASKED =
  '[data-bugle-mask],input[type=password],input[autocomplete*=password],input[autocomplete^=cc-],input[autocomplete*=" cc-"]'
/** Blurred edges and rounding. */
const MARGIN = 3

type Area = readonly [left: number, top: number, right: number, bottom: number]

/** The areas of this page that must not be visible, in CSS pixels. */
export function findMasked(root: Document | ShadowRoot = document, left = 0, top = 0): readonly Area[] {
  const areas: Area[] = []
  const add = (rects: Iterable<DOMRect>) => {
    for (const { x, y, width, height } of rects)
      if (width && height) areas.push([x + left, y + top, x + width + left, y + height + top])
  }
  for (const element of root.querySelectorAll('*')) {
    if (element.matches(MASKED)) cover(element, add)
    if (element.shadowRoot) areas.push(...findMasked(element.shadowRoot, left, top))
    if (element instanceof HTMLIFrameElement && element.contentDocument) {
      const { x, y } = element.getBoundingClientRect()
      areas.push(
        ...findMasked(element.contentDocument, left + x + element.clientLeft, top + y + element.clientTop),
      )
    }
  }
  return areas
}

/** Paints areas of the page over, in an image of the whole visible page. */
export function paintOver(canvas: HTMLCanvasElement, areas: readonly Area[]): void {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const across = canvas.width / innerWidth
  const down = canvas.height / innerHeight
  context.fillStyle = '#000'
  for (const [left, top, right, bottom] of areas) {
    const x = Math.floor((left - MARGIN) * across)
    const y = Math.floor((top - MARGIN) * down)
    context.fillRect(x, y, Math.ceil((right + MARGIN) * across) - x, Math.ceil((bottom + MARGIN) * down) - y)
  }
}

/** Whether an image of this size can be one of the visible page. Zoomed in by fingers, positions would be wrong. */
export function isSizeOfPage(width: number, height: number): boolean {
  const isZoomed = (visualViewport?.scale ?? 1) !== 1
  return !isZoomed && Math.abs(width / height / (innerWidth / innerHeight) - 1) < 0.02
}

/** The element, its text, and what is inside it and may be larger than itself. */
function cover(element: Element, add: (rects: Iterable<DOMRect>) => void): void {
  add([element.getBoundingClientRect()])
  const { overflowX, overflowY } = getComputedStyle(element)
  if (overflowX !== 'visible' && overflowY !== 'visible') return
  const range = document.createRange()
  range.selectNodeContents(element)
  add(range.getClientRects())
  for (const parent of [element, element.shadowRoot])
    for (const child of parent?.children ?? []) cover(child, add)
}
