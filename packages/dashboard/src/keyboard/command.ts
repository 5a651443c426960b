/** An action of the page, available by key, in the palette and in the help. */
export interface Command {
  /** A unique name; the command that was mounted last wins. */
  readonly id: string
  readonly title: string
  readonly section: Section
  /** `a`, `shift+x`, `mod+k` (⌘ or Ctrl), or a sequence: `g i`. The typed character counts, whatever the keyboard layout. */
  readonly keys?: string
  /** An alternative that the help does not mention. */
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
