import { guard } from '../core/guard.ts'
import { parentOf } from './messages.ts'

type Pixel = readonly [red: number, green: number, blue: number, alpha: number]

/** Pages animate a change of theme, so colours are read after that. */
const FADE_MS = 400

/**
 * Whether the page is dark at this element: by the nearest background or, where there is none, by the colour that the
 * browser paints. `frame` must have that as its background (`Canvas`) and no colour scheme of its own.
 */
export const isPageDark: (host: Element, frame: Element) => boolean = guard(
  (host: Element, frame: Element) => {
    let isDark: boolean | undefined
    for (let node: Element | undefined = host; isDark === undefined; ) {
      node = node && parentOf(node)
      // A canvas understands every kind of colour.
      const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
      context.fillStyle = getComputedStyle(node ?? frame).backgroundColor
      context.fillRect(0, 0, 1, 1)
      const pixel = context.getImageData(0, 0, 1, 1).data as ArrayLike<number> as Pixel
      const [red, green, blue, alpha] = pixel
      if (alpha > 127 || !node) isDark = red + 2 * green + blue < 512
    }
    return isDark
  },
  () => false,
)

/** Calls the listener when the theme of the page or the element may have changed; returns a function that stops it. */
export const watchTheme: (host: Element, listener: () => void) => () => void = guard(
  (host: Element, listener: () => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      clearTimeout(timer)
      timer = setTimeout(listener, FADE_MS)
    }
    const observer = new MutationObserver(changed)
    for (const node of [host, document.documentElement, document.body])
      observer.observe(node, { attributes: true })
    const scheme = matchMedia('(prefers-color-scheme:dark)')
    scheme.onchange = changed
    return () => {
      observer.disconnect()
      scheme.onchange = null
    }
  },
  () => () => {},
)
