import type { SVGProps } from 'react'

interface GlyphProps extends SVGProps<SVGSVGElement> {
  readonly size?: number
  /** What it says; without it the glyph only goes with a text. */
  readonly label?: string | undefined
}

/** A picture as large as a letter, drawn for 16 by 16. */
export function Glyph({ size = 16, label, children, ...rest }: GlyphProps) {
  const shape = { width: size, height: size, viewBox: '0 0 16 16', fill: 'none', ...rest }
  if (label === undefined) {
    return (
      <svg aria-hidden="true" {...shape}>
        {children}
      </svg>
    )
  }
  return (
    <svg role="img" aria-label={label} {...shape}>
      <title>{label}</title>
      {children}
    </svg>
  )
}

/** For what is drawn with lines, in the colour of the text around it. */
export const LINES = {
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
