import { PRIORITIES, type Priority } from '@bugle/contract'
import { PRIORITY_NAMES } from '../words.ts'
import { Glyph } from './glyph.tsx'

const BARS = [
  { x: 2, height: 4 },
  { x: 6.5, height: 8 },
  { x: 11, height: 12 },
] as const
const FAINT = 0.25

interface PriorityIconProps {
  readonly priority: Priority
  /** `false` next to a text with the same information. */
  readonly label?: false
}

/** Bars that rise with the urgency; critical has its own shape. */
export function PriorityIcon({ priority, label }: PriorityIconProps) {
  return (
    <Glyph
      fill="currentColor"
      style={{ color: `var(--priority-${priority})`, flex: 'none' }}
      label={label === false ? undefined : `${PRIORITY_NAMES[priority]} priority`}
    >
      {priority === 'critical' ? (
        <>
          <rect x="1.5" y="1.5" width="13" height="13" rx="3" />
          <path d="M8 4.500v4M8 11.300h.01" stroke="var(--surface)" strokeWidth="1.9" strokeLinecap="round" />
        </>
      ) : (
        BARS.map(({ x, height }, index) => (
          <rect
            key={x}
            x={x}
            y={14 - height}
            width="3"
            height={height}
            rx="1"
            opacity={index <= PRIORITIES.indexOf(priority) ? 1 : FAINT}
          />
        ))
      )}
    </Glyph>
  )
}
