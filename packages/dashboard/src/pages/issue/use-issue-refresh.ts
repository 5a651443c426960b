import type { Event } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { attachmentsQuery } from '../../api/issues/attachments.ts'
import { duplicatesQuery } from '../../api/issues/duplicates.ts'
import { issueEventsQuery, issueQuery, issueReportsQuery } from '../../api/issues/issues.ts'
import { useLive, useLiveState } from '../../live/live.tsx'

/** Reports of a noisy crash arrive by the hundred: charts are updated at most this often. */
const REPORTS_MS = 5_000
const CHANGES_MS = 300

/** Reloads the issue when it or one of its duplicates changes, including changes by other people. */
export function useIssueRefresh(id: string): void {
  const queries = useQueryClient()
  const isLive = useLiveState() === 'live'
  const timers = useRef({ changes: soonTimer(), comments: soonTimer(), reports: soonTimer() })

  const refresh = useEffectEvent((after: number) => {
    timers.current.changes.start(after, () => {
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
      // Someone may have deleted or redacted a report.
      void queries.invalidateQueries({ queryKey: issueReportsQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: attachmentsQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: duplicatesQuery(id).queryKey })
    })
  })
  const refreshComments = useEffectEvent(() => {
    timers.current.comments.start(CHANGES_MS, () => {
      // It says who is expected to write next.
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
    })
  })
  const refreshReports = useEffectEvent(() => {
    timers.current.reports.start(REPORTS_MS, () => {
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueReportsQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: attachmentsQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: duplicatesQuery(id).queryKey })
    })
  })

  /** Whether a duplicate of the issue has changed, or was one until now. */
  function isOfDuplicate({ type, issueId, changes }: Event): boolean {
    if (changes.some(({ member, from, to }) => member === 'duplicateOf' && [from, to].includes(id)))
      return true
    const pages = queries.getQueryData(duplicatesQuery(id).queryKey)?.pages ?? []
    if (pages.some(({ data }) => data.some((duplicate) => duplicate.id === issueId))) return true
    // Perhaps one that the page has not read.
    return type === 'issue.reported' && (pages.at(-1)?.pagination.nextCursor ?? null) !== null
  }

  /** The page of a duplicate shows the title and the status of its target. */
  function isOfTarget({ type, issueId }: Event): boolean {
    const issue = queries.getQueryData(issueQuery(id).queryKey)
    return type !== 'issue.reported' && issueId !== null && issueId === issue?.duplicateOf
  }

  useEffect(() => {
    const { changes, comments, reports } = timers.current
    return () => {
      changes.stop()
      comments.stop()
      reports.stop()
    }
  }, [])
  useEffect(() => {
    if (isLive) refresh(0)
  }, [isLive])
  useLive({
    onEvent(event) {
      const { type, issueId } = event
      if (isOfTarget(event)) void queries.invalidateQueries({ ...issueQuery(issueId ?? ''), exact: true })
      if (issueId !== id && !isOfDuplicate(event)) return
      if (type === 'issue.reported') refreshReports()
      else if (type.startsWith('comment.')) refreshComments()
      else refresh(CHANGES_MS)
    },
    onReset: () => refresh(0),
  })
}

/** Runs once, however often it is scheduled before that. */
function soonTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    start(after: number, work: () => void) {
      timer ??= setTimeout(() => {
        timer = undefined
        work()
      }, after)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
