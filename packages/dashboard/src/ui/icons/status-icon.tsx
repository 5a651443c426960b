import type { IssueStatus } from '@bugle/contract'
import type { ReactNode } from 'react'
import { STATUS_NAMES } from '../words.ts'
import { Glyph, LINES } from './glyph.tsx'

const SHAPES: Readonly<Record<IssueStatus, ReactNode>> = {
  open: <circle cx="8" cy="8" r="5.5" />,
  acknowledged: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <circle cx="8" cy="8" r="2" fill="currentColor" stroke="none" />
    </>
  ),
  in_progress: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 4.700a3.3 3.3 0 0 1 0 6.600Z" fill="currentColor" stroke="none" />
    </>
  ),
  resolved: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="currentColor" stroke="none" />
      <path d="m5.3 8.2 1.9 1.9 3.6-4" stroke="var(--surface)" />
    </>
  ),
  closed: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="currentColor" stroke="none" />
      <path d="m6 6 4 4m0-4-4 4" stroke="var(--surface)" />
    </>
  ),
  wontfix: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m4.3 11.7 7.4-7.4" />
    </>
  ),
}

interface StatusIconProps {
  readonly status: IssueStatus
  /** `false` next to a text with the same information. */
  readonly label?: false
}

/** Each status has its own shape, so that it does not depend on colour alone. */
export function StatusIcon({ status, label }: StatusIconProps) {
  return (
    <Glyph
      {...LINES}
      strokeWidth={1.6}
      style={{ color: `var(--status-${status.replace('_', '-')})`, flex: 'none' }}
      label={label === false ? undefined : STATUS_NAMES[status]}
    >
      {SHAPES[status]}
    </Glyph>
  )
}
