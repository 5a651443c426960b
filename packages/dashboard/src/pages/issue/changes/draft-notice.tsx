import { Button } from '@mantine/core'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './draft-notice.module.css'

interface DraftNoticeProps {
  readonly onContinue: () => void
  readonly onDiscard: () => void
}

/** Reminds the person of unsaved changes. */
export function DraftNotice({ onContinue, onDiscard }: DraftNoticeProps) {
  return (
    <section className={classes['notice']} aria-label="Unsaved changes">
      <Icon name="edit" />
      <span className={classes['text']}>You have unsaved changes to this issue.</span>
      <Button size="compact-sm" variant="default" onClick={onContinue}>
        Continue editing
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
        Discard
      </Button>
    </section>
  )
}
