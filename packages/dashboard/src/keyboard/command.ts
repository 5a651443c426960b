/** Something the page can do, offered by key, in the palette and in the help. */
export interface Command {
  /** One name for one command; what is mounted last counts. */
  readonly id: string
  readonly title: string
  readonly section: Section
  /** `a`, `shift+x`, `mod+k` (⌘ or Ctrl), or one after the other: `g i`. As typed, whatever the keyboard's layout. */
  readonly keys?: string
  /** A second way to press it that the help need not mention. */
  readonly alsoKeys?: string
  /** Other words by which the palette finds it. */
  readonly words?: string
  /** Not in the palette: it only makes sense as a key. */
  readonly isKeyOnly?: boolean
  readonly run: () => void
}

/** In the order in which help and palette show them. */
export const SECTIONS = ['Issues', 'List', 'Go to', 'Page'] as const
export type Section = (typeof SECTIONS)[number]
