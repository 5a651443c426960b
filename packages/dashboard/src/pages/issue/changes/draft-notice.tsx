import { Button } from '@mantine/core'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './draft-notice.module.css'

interface DraftNoticeProps {
  readonly onContinue: () => void
  readonly onDiscard: () => void
}

/** Reminds of an edit that was left before it was saved. */
export function DraftNotice({ onContinue, onDiscard }: DraftNoticeProps) {
  return (
    <section className={classes['notice']} aria-label="Unsaved edit">
      <Icon name="edit" />
      <span className={classes['text']}>You have an unsaved edit of this issue.</span>
      <Button size="compact-sm" variant="default" onClick={onContinue}>
        Continue editing
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
        Discard
      </Button>
    </section>
  )
}
