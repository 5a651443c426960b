import { styleText } from 'node:util'

export type Paint = (text: string) => string

/** The colours by purpose. Without colours, each returns the text unchanged. */
export interface Colours {
  readonly strong: Paint
  readonly faint: Paint
  readonly accent: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
}

const STYLES = {
  strong: 'bold',
  faint: 'dim',
  accent: 'cyan',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
} as const satisfies Record<keyof Colours, Parameters<typeof styleText>[0]>

export const NO_COLOURS = createColours(false)

export function createColours(isShown: boolean): Colours {
  const paints = Object.entries(STYLES).map(([use, style]): [string, Paint] => [
    use,
    // An empty text stays empty, without escape sequences.
    (text) => (isShown && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  ])
  return Object.fromEntries(paints) as unknown as Colours
}

/** Whether colours are wanted and can be shown: only on a terminal, and not if `NO_COLOR` is set (no-color.org). */
export function showsColours(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
}
