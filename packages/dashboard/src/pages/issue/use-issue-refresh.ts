import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { attachmentsQuery } from '../../api/attachments.ts'
import { issueEventsQuery, issueQuery, issueReportsQuery } from '../../api/issues.ts'
import { useLive, useLiveState } from '../../live/live.tsx'

/** Reports of a noisy crash arrive by the hundred: charts are updated at most this often. */
const REPORTS_MS = 5_000
const CHANGES_MS = 300

/** Reloads the issue when it changes, including changes by other people. */
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
    })
  })
  const refreshComments = useEffectEvent(() => {
    timers.current.comments.start(CHANGES_MS, () => {
      void queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
    })
  })
  const refreshReports = useEffectEvent(() => {
    timers.current.reports.start(REPORTS_MS, () => {
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueReportsQuery(id).queryKey })
      void queries.invalidateQueries({ queryKey: attachmentsQuery(id).queryKey })
    })
  })

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
    onEvent({ type, issueId }) {
      if (issueId !== id) return
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
