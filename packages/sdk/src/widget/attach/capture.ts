import type { Screenshot } from '../options.ts'
import { decode } from './images.ts'
import { findMasked, isSizeOfPage, paintOver } from './masks.ts'

/** Long enough for the window to take its new size: while a tab is shared, browsers show a bar above it. */
const SETTLE_MS = 300
const MAX_TRIES = 10
/** The form is hidden until there is a picture: a browser that sends none must not keep it hidden. */
const MAX_START_MS = 10_000

/** The pixels, and whether they are only of this page, with what is masked painted over. */
export interface Shot {
  readonly canvas: HTMLCanvasElement
  readonly isMasked: boolean
}

/** Some browsers have these. */
type Devices = MediaDevices & { setCaptureHandleConfig?(config: object): void }
type Track = MediaStreamTrack & { getCaptureHandle?(): { readonly handle?: string } | null }

/** Whether the browser can take screenshots. Phones cannot. */
export function canCapture(): boolean {
  return !!navigator.mediaDevices?.getDisplayMedia
}

/** A screenshot of what the person chooses: this page is suggested. Rejects if they choose nothing. */
export async function captureDisplay(): Promise<Shot> {
  const devices = navigator.mediaDevices as Devices
  const handle = crypto.randomUUID()
  try {
    // By this, a page recognises itself.
    devices.setCaptureHandleConfig?.({ handle, permittedOrigins: [location.origin] })
  } catch {
    // Not allowed in an iframe, which is only a part of the page anyway.
  }
  const options = { video: true, preferCurrentTab: true }
  const stream = await devices.getDisplayMedia(options)
  try {
    const [track] = stream.getVideoTracks() as [Track?]
    const isPage = track?.getCaptureHandle?.()?.handle === handle
    const video = Object.assign(document.createElement('video'), { srcObject: stream, muted: true })
    // Of a page in which nothing moves, a browser may send no picture at all: this makes it draw the page again and again.
    const drawing = document.documentElement.animate({ opacity: [1, 0.99] }, MAX_START_MS)
    try {
      await Promise.race([video.play(), drawing.finished.then(() => Promise.reject())])
    } finally {
      drawing.cancel()
    }
    return await mask(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
        const { videoWidth, videoHeight } = video
        if (videoWidth && (!isPage || isSizeOfPage(videoWidth, videoHeight))) break
      }
      return { image: video, isPage }
    })
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

/** A screenshot by the app's own function. */
export function captureByApp(take: () => Screenshot | Promise<Screenshot>): Promise<Shot> {
  return mask(async () => {
    const taken = await take()
    return 'image' in taken ? taken : { image: taken }
  })
}

async function mask(
  take: () => Promise<{ readonly image: ImageBitmapSource; readonly isPage?: boolean }>,
): Promise<Shot> {
  const before = findMasked()
  const { image, isPage } = await take()
  // Elements may have moved in the meantime.
  const middle = findMasked()
  const canvas = await decode(image)
  const isMasked = isPage === true && isSizeOfPage(canvas.width, canvas.height)
  if (isMasked) paintOver(canvas, [...before, ...middle, ...findMasked()])
  return { canvas, isMasked }
}
