import type { Event, Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { issueEventsQuery } from '../../../api/issues/issues.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { CommentEntry } from '../comments/comment-entry.tsx'
import { MessageEntry } from '../conversation/message-entry.tsx'
import classes from './history.module.css'
import { HistoryEntry } from './history-entry.tsx'

/** More are read on request. A page has 100 entries. */
const MAX_AUTOMATIC_PAGES = 10

interface HistoryProps {
  readonly issue: Issue
  readonly mayComment: boolean
  readonly onReply: (to: ReplyTo) => void
  /** What comes after the last entry. */
  readonly children: ReactNode
}

/** What happened to the issue and what people wrote about it, oldest first. */
export function History({ issue, mayComment, onReply, children }: HistoryProps) {
  const history = useInfiniteQuery(issueEventsQuery(issue.id))
  const { hasNextPage, isFetching, error, fetchNextPage } = history
  const isLong = (history.data?.pages.length ?? 0) >= MAX_AUTOMATIC_PAGES
  // The last comment is usually the one that people want to read.
  useEffect(() => {
    if (hasNextPage && !isLong && !isFetching && error === null) void fetchNextPage()
  }, [hasNextPage, isLong, isFetching, error, fetchNextPage])
  const events =
    history.data?.pages.flatMap(({ data }) => data.filter((event) => !isFileOfComment(event))) ?? []
  return (
    <section aria-labelledby="history">
      <h2 id="history" className={classes['title']}>
        History
      </h2>
      {error !== null && <InlineFailure error={error} onRetry={() => void history.refetch()} />}
      <ol className={classes['entries']}>
        {events.map(({ position, ...event }) => {
          const comment = event.type === 'comment.created' ? event.comment : null
          if (comment === null) return <HistoryEntry key={position} issue={issue} event={event} />
          const entry = { issue, comment, mayWrite: mayComment }
          return comment.author.kind === 'reporter' ? (
            <MessageEntry key={position} {...entry} onReply={onReply} />
          ) : (
            <CommentEntry key={position} {...entry} />
          )
        })}
      </ol>
      {hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={history.isFetchingNextPage}
          className={classes['further'] ?? ''}
          onClick={() => void fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {children}
    </section>
  )
}

/** The comment shows its files itself. */
function isFileOfComment({ type, changes }: Event): boolean {
  const file = changes[0]?.to
  return type === 'attachment.received' && typeof file === 'object' && file !== null && 'commentId' in file
}
