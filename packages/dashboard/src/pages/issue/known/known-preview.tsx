import { type FixedIn, type Issue, PUBLIC_STATUS_NAMES, publishedStatus } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { issueQuery } from '../../../api/issues/issues.ts'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { formatRelease } from '../releases.ts'
import classes from './known.module.css'

interface KnownPreviewProps {
  readonly issue: Issue
  readonly title: string
  readonly text: string
}

/** A known issue as people in the app see it: a duplicate has the status and the fix of the issue it was merged into. */
export function KnownPreview({ issue, title, text }: KnownPreviewProps) {
  const { duplicateOf } = issue
  const { data: target } = useQuery({ ...issueQuery(duplicateOf ?? ''), enabled: duplicateOf !== null })
  const { status, fixedIn } = target ?? issue
  const shown = publishedStatus(status)
  return (
    <div className={classes['preview']}>
      <p className={classes['status']}>
        <StatusIcon status={shown} label={false} />
        <span>
          {status === 'resolved' && fixedIn !== null ? <Fix in={fixedIn} /> : PUBLIC_STATUS_NAMES[shown]}
        </span>
      </p>
      <p className={classes['title']} dir="auto">
        {title}
      </p>
      {text !== '' && (
        <p className={classes['text']} dir="auto">
          {text}
        </p>
      )}
    </div>
  )
}

function Fix({ in: fixedIn }: { readonly in: FixedIn }) {
  return (
    <>
      Fixed in <bdi>{formatRelease(fixedIn)}</bdi>
    </>
  )
}
