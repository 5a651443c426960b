import type { FrameLocator, Locator, Page } from 'playwright-core'
import type { Evaluator } from './engines.ts'
import type { Scene } from './stage.ts'

/** A file of the newest issue, with its bytes as the server has stored them. */
export interface StoredFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
}

export const attachButton = (page: Page | FrameLocator) => page.getByRole('button', { name: 'Attach a file' })

interface Listed {
  readonly id: string
  readonly name: string
  readonly contentType: string
  readonly state: string
}

/** The files of the newest issue that have arrived. */
export async function storedFiles({
  app,
  project,
  issues,
}: Pick<Scene, 'app' | 'project' | 'issues'>): Promise<readonly StoredFile[]> {
  const [issue] = await issues()
  if (!issue) return []
  const { body } = await app.send('GET', `/v1/issues/${issue['id']}/attachments`, { key: project.secretKey })
  const arrived = (body.data as readonly Listed[]).filter(({ state }) => state === 'received')
  return Promise.all(
    arrived.map(async ({ id, name, contentType }) => {
      const response = await fetch(`${app.url}/v1/attachments/${id}`, {
        headers: { authorization: `Bearer ${project.secretKey}` },
      })
      return { name, contentType, bytes: Buffer.from(await response.arrayBuffer()) }
    }),
  )
}

/** The size of an image, and how many of its pixels have each of these colours, decoded by the browser. */
export function pixelsOf(
  page: Evaluator,
  bytes: Buffer,
  colours: Readonly<Record<string, readonly [number, number, number]>> = {},
): Promise<{ readonly width: number; readonly height: number } & Readonly<Record<string, number>>> {
  return page.evaluate(
    async ([base64, wanted]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([content]))
      const { width, height } = bitmap
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      const data = context?.getImageData(0, 0, width, height).data ?? []
      const counts: Record<string, number> = {}
      for (const [name, colour] of Object.entries(wanted)) {
        let count = 0
        for (let index = 0; index < data.length; index += 4)
          if (colour.every((value, channel) => Math.abs(value - (data[index + channel] ?? 0)) < 40)) count++
        counts[name] = count
      }
      return { width, height, ...counts }
    },
    [bytes.toString('base64'), colours] as const,
  )
}

/** An image of one colour, as the browser encodes it. */
export async function makeImage(
  page: Evaluator,
  { width = 40, height = 20, type = 'image/png', colour = '#0a0' } = {},
): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([across, down, format, fill]) => {
      const canvas = new OffscreenCanvas(across, down)
      const context = canvas.getContext('2d')
      if (context) context.fillStyle = fill
      context?.fillRect(0, 0, across, down)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: format })).arrayBuffer())
      return btoa(String.fromCharCode(...bytes))
    },
    [width, height, type, colour] as const,
  )
  return Buffer.from(base64, 'base64')
}

/** Adds what cameras add to a JPEG: that it is to be turned by 90°, who took it, and where. */
export function withExif(jpeg: Buffer): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (type === 3) bytes.writeUInt16BE(value, 8)
    else bytes.writeUInt32BE(value, 8)
    return bytes
  }
  const author = Buffer.from('ADA AT HOME 52.5163 N 13.3777 E\0', 'latin1')
  const header = Buffer.from('MM\0*\0\0\0\x08', 'latin1')
  const count = Buffer.from([0, 2])
  const textAt = header.length + count.length + 24 + 4
  const body = Buffer.concat([
    header,
    count,
    entry(0x0112, 3, 1, 6),
    entry(0x013b, 2, author.length, textAt),
    Buffer.alloc(4),
    author,
  ])
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), body])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)])
}

interface GivenFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

/** Pastes files into the title, or drops them there, as the browser does. */
export async function giveFiles(
  page: Page | FrameLocator,
  how: 'paste' | 'drop',
  files: readonly GivenFile[],
): Promise<void> {
  const field: Locator = page.getByRole('textbox', { name: 'What is wrong?' })
  await field.evaluate(
    (element, [kind, given]) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of given) {
        const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        data.items.add(new File([content], name, { type }))
      }
      const common = { bubbles: true, composed: true, cancelable: true }
      if (kind === 'paste')
        element.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }))
      else
        for (const type of ['dragover', 'drop'])
          element.dispatchEvent(new DragEvent(type, { ...common, dataTransfer: data }))
    },
    [how, files.map(({ bytes, ...rest }) => ({ ...rest, base64: bytes.toString('base64') }))] as const,
  )
}

/**
 * Replaces the browser's question about what to capture: there is no display. The fake one shows the page in green, and the
 * element with the id `secret`, which a real one would show too, in red.
 */
export async function fakeDisplay(page: Evaluator, { isPage = true } = {}): Promise<void> {
  await page.evaluate((isThisPage) => {
    let handle: unknown
    Object.assign(navigator.mediaDevices, {
      setCaptureHandleConfig(config: { handle: unknown }) {
        handle = config.handle
      },
      async getDisplayMedia() {
        const canvas = document.createElement('canvas')
        const size = isThisPage
          ? { width: innerWidth * 2, height: innerHeight * 2 }
          : { width: 500, height: 400 }
        Object.assign(canvas, size)
        const context = canvas.getContext('2d') as CanvasRenderingContext2D
        const paint = () => {
          context.setTransform(1, 0, 0, 1, 0, 0)
          context.fillStyle = '#00aa00'
          context.fillRect(0, 0, canvas.width, canvas.height)
          context.scale(canvas.width / innerWidth, canvas.height / innerHeight)
          const { x, y, width, height } = (
            document.getElementById('secret') as HTMLElement
          ).getBoundingClientRect()
          context.fillStyle = '#ff0000'
          context.fillRect(x, y, width, height)
        }
        paint()
        const stream = canvas.captureStream()
        const timer = setInterval(paint, 150)
        for (const track of stream.getTracks()) {
          Object.assign(track, { getCaptureHandle: () => (isThisPage ? { handle } : null) })
          const stop = track.stop.bind(track)
          track.stop = () => {
            clearInterval(timer)
            document.documentElement.dataset['stopped'] = 'yes'
            stop()
          }
        }
        return stream
      },
    })
  }, isPage)
}
