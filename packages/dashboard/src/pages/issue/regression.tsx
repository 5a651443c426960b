import type { Event, Issue } from '@bugle/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { issueEventsQuery } from '../../api/issues/issues.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './regression.module.css'

/** Why an issue that was fixed is open again. */
export function Regression({ issue }: { readonly issue: Issue }) {
  const { data } = useInfiniteQuery(issueEventsQuery(issue.id))
  const events = data?.pages.flatMap((page) => page.data) ?? []
  const last = events.findLast(isMove)
  if (last?.type !== 'issue.regressed' || issue.status !== 'open') return null
  return (
    <section className={classes['panel']} aria-label="Regression">
      <Icon name="warning" />
      <p>
        <b>{last.confirmed === false ? 'Possible regression' : 'Regression'}</b> <Ago at={last.createdAt} />,
        after the issue was resolved. <bdi>{last.reason}</bdi>
      </p>
    </section>
  )
}

function isMove({ type }: Event): boolean {
  return type === 'issue.regressed' || type === 'issue.status_changed'
}
