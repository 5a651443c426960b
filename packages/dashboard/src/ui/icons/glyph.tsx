import type { SVGProps } from 'react'

interface GlyphProps extends SVGProps<SVGSVGElement> {
  readonly size?: number
  /** The accessible name; without it the glyph is decorative. */
  readonly label?: string | undefined
}

/** An icon of 16 by 16 units, as large as a letter. */
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

/** For line drawings, in the colour of the surrounding text. */
export const LINES = {
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
