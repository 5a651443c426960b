import { type Issue, SPAM_DAYS } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useMarkSpam } from '../../../api/issues/spam.ts'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import { findSession } from '../../inbox/list/list-sessions.ts'
import classes from './draft-notice.module.css'

interface SpamNoticeProps {
  readonly issue: Issue
  readonly spamAt: string
  readonly mayTriage: boolean
}

const DAY_MS = 86_400_000

/** Says that the issue is spam, until when it is kept, and offers to undo it. */
export function SpamNotice({ issue, spamAt, mayTriage }: SpamNoticeProps) {
  const marking = useMarkSpam(issue.id)
  const end = new Date(Date.parse(spamAt) + SPAM_DAYS * DAY_MS)

  function undo(): void {
    marking.mutate(
      { isSpam: false, known: issue },
      {
        // A list that contains it is a list of spam.
        onSuccess: () => findSession(issue.id)?.list.patch(issue.id, 'gone'),
        onError: (error) => showToast({ tone: 'danger', text: explain(error) }),
      },
    )
  }

  return (
    <section className={classes['notice']} aria-label="Spam">
      <Icon name="warning" />
      <span className={classes['text']}>
        Marked as spam. It will be deleted on{' '}
        <time dateTime={end.toISOString()}>{end.toLocaleDateString(undefined, { dateStyle: 'long' })}</time>.
      </span>
      {mayTriage && (
        <Button size="compact-sm" variant="default" loading={marking.isPending} onClick={undo}>
          Not spam
        </Button>
      )}
    </section>
  )
}
