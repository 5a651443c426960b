import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { CopyButton } from '../clipboard/copy-button.tsx'
import classes from './stack-trace.module.css'

/** Longer traces are folded to this many lines. */
const FOLDED_LINES = 10
/** A trace is not folded to hide only a line or two. */
const SLACK_LINES = 3

/** A stack trace as it was reported, folded if it is long. Nothing in it becomes a link. */
export function StackTrace({ text }: { readonly text: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const lines = text.split('\n')
  const isLong = lines.length > FOLDED_LINES + SLACK_LINES
  const shown = isLong && !isOpen ? lines.slice(0, FOLDED_LINES) : lines
  return (
    <section className={classes['trace']} aria-label="Stack trace">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also with the keyboard */}
      <pre id={id} className={classes['lines']} tabIndex={0} dir="ltr">
        {shown.join('\n')}
      </pre>
      <span className={classes['copy']}>
        <CopyButton text={text} what="the stack trace" />
      </span>
      {isLong && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes['fold'] ?? ''}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : `Show all ${lines.length} lines`}
        </Button>
      )}
    </section>
  )
}
