/** In the order of the toolbar. */
export const TOOLS = ['arrow', 'box', 'pen', 'text', 'blackout', 'crop'] as const
export type Tool = (typeof TOOLS)[number]

export interface Point {
  readonly x: number
  readonly y: number
}

/** What a person has drawn, in pixels of the image. A box has two opposite corners, an arrow its start and its tip. */
export interface Mark {
  readonly tool: Tool
  readonly points: readonly Point[]
  readonly text?: string
}

/** A part of the image, in whole pixels. */
export interface Area extends Point {
  readonly width: number
  readonly height: number
}

const COLOUR = '#e5243b'
/** Around every mark, so that it can be seen on any background. */
const HALO = '#fff'
/** Anything smaller was a click by mistake. */
const MIN_CROP = 8

/** The width of lines: visible in large images too. */
export function unitOf({ width, height }: Pick<Area, 'width' | 'height'>): number {
  return Math.max(2, Math.round(Math.max(width, height) / 300))
}

export function textSizeOf(image: Pick<Area, 'width' | 'height'>): number {
  return unitOf(image) * 6
}

/** The visible part of the image: that of the last crop. */
export function findCrop({ width, height }: HTMLCanvasElement, marks: readonly Mark[]): Area {
  const crops = marks.filter(({ tool }) => tool === 'crop')
  const whole = { x: 0, y: 0, width, height }
  const last = crops.at(-1)
  if (!last) return whole
  const area = areaOf(last.points)
  const x = Math.max(0, area.x)
  const y = Math.max(0, area.y)
  const right = Math.min(width, area.x + area.width)
  const bottom = Math.min(height, area.y + area.height)
  return right - x < MIN_CROP || bottom - y < MIN_CROP
    ? findCrop({ width, height } as HTMLCanvasElement, marks.slice(0, marks.indexOf(last)))
    : { x, y, width: right - x, height: bottom - y }
}

/** Draws the image and its marks. The canvas has the size of the visible part. */
export function drawAll(
  canvas: HTMLCanvasElement,
  image: HTMLCanvasElement,
  marks: readonly Mark[],
  draft?: Mark,
): void {
  const { x, y, width, height } = findCrop(image, marks)
  // Also clears it.
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.translate(-x, -y)
  context.drawImage(image, 0, 0)
  context.lineCap = context.lineJoin = 'round'
  for (const mark of marks) drawMark(context, mark, image)
  if (draft?.tool === 'crop') drawFrame(context, areaOf(draft.points), { x, y, width, height }, image)
  else if (draft) drawMark(context, draft, image)
}

function drawMark(context: CanvasRenderingContext2D, mark: Mark, image: HTMLCanvasElement): void {
  const { tool, points, text = '' } = mark
  const [start, end = start] = points as [Point, Point?]
  const unit = unitOf(image)
  if (tool === 'blackout') {
    const { x, y, width, height } = areaOf(points)
    context.fillStyle = '#000'
    context.fillRect(x, y, width, height)
  }
  if (tool === 'text') {
    const size = textSizeOf(image)
    context.font = `bold ${size}px ${getComputedStyle(context.canvas).fontFamily}`
    context.textBaseline = 'top'
    context.lineWidth = unit * 1.5
    context.strokeStyle = HALO
    context.fillStyle = COLOUR
    context.strokeText(text, start.x, start.y)
    context.fillText(text, start.x, start.y)
  }
  const path = new Path2D()
  if (tool === 'box') path.rect(start.x, start.y, end.x - start.x, end.y - start.y)
  if (tool === 'pen') {
    path.moveTo(start.x, start.y)
    for (const { x, y } of points) path.lineTo(x, y)
  }
  if (tool === 'arrow') {
    const angle = Math.atan2(end.y - start.y, end.x - start.x)
    const head = unit * 6
    path.moveTo(start.x, start.y)
    path.lineTo(end.x, end.y)
    for (const turn of [-0.5, 0.5]) {
      path.moveTo(end.x, end.y)
      path.lineTo(end.x - head * Math.cos(angle + turn), end.y - head * Math.sin(angle + turn))
    }
  }
  for (const [colour, width] of [
    [HALO, unit * 2],
    [COLOUR, unit],
  ] as const) {
    context.strokeStyle = colour
    context.lineWidth = width
    context.stroke(path)
  }
}

/** Darkens what a crop would remove. */
function drawFrame(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Area,
  visible: Area,
  image: HTMLCanvasElement,
): void {
  const path = new Path2D()
  path.rect(visible.x, visible.y, visible.width, visible.height)
  path.rect(x, y, width, height)
  context.fillStyle = '#0009'
  context.fill(path, 'evenodd')
  context.strokeStyle = HALO
  context.lineWidth = unitOf(image) / 2
  context.strokeRect(x, y, width, height)
}

/** In whole pixels, and never smaller than drawn: no pixel at an edge stays half visible. */
function areaOf(points: readonly Point[]): Area {
  const [one, other = one] = points as [Point, Point?]
  const x = Math.floor(Math.min(one.x, other.x))
  const y = Math.floor(Math.min(one.y, other.y))
  return {
    x,
    y,
    width: Math.ceil(Math.max(one.x, other.x)) - x,
    height: Math.ceil(Math.max(one.y, other.y)) - y,
  }
}
