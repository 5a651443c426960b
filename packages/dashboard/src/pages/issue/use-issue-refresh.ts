import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { issueEventsQuery, issueQuery, issueReportsQuery } from '../../api/issues.ts'
import { useLive, useLiveState } from '../../live/live.tsx'

/** Further reports of a noisy crash come by the hundred: the charts are drawn again at most this often. */
const REPORTS_MS = 5_000
const CHANGES_MS = 300

/** Reads the issue again when something happens to it, wherever it was done. */
export function useIssueRefresh(id: string): void {
  const queries = useQueryClient()
  const isLive = useLiveState() === 'live'
  const timers = useRef({ changes: soonTimer(), reports: soonTimer() })

  const refresh = useEffectEvent((after: number) => {
    timers.current.changes.start(after, () => {
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
    })
  })
  const refreshReports = useEffectEvent(() => {
    timers.current.reports.start(REPORTS_MS, () => {
      void queries.invalidateQueries({ ...issueQuery(id), exact: true })
      void queries.invalidateQueries({ queryKey: issueReportsQuery(id).queryKey })
    })
  })

  useEffect(() => {
    const { changes, reports } = timers.current
    return () => {
      changes.stop()
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
      else refresh(CHANGES_MS)
    },
    onReset: () => refresh(0),
  })
}

/** Does something once, however often it is started before. */
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
