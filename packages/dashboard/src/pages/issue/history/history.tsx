import type { Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { issueEventsQuery } from '../../../api/issues.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import classes from './history.module.css'
import { HistoryEntry } from './history-entry.tsx'

interface HistoryProps {
  readonly issue: Issue
  /** What comes after the last entry. */
  readonly children: ReactNode
}

/** What happened to the issue and who did it, oldest first. */
export function History({ issue, children }: HistoryProps) {
  const history = useInfiniteQuery(issueEventsQuery(issue.id))
  const events = history.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby="history">
      <h2 id="history" className={classes['title']}>
        History
      </h2>
      {history.error !== null && (
        <InlineFailure error={history.error} onRetry={() => void history.refetch()} />
      )}
      <ol className={classes['entries']}>
        {events.map((event) => (
          <HistoryEntry key={event.position} event={event} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={history.isFetchingNextPage}
          className={classes['further'] ?? ''}
          onClick={() => void history.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {children}
    </section>
  )
}
