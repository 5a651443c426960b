import type { Issue, Report } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReportAction, reportTextsQuery } from '../../../api/reports.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { holdKeys } from '../../../ui/hold-keys.ts'
import { useFileViewer } from '../files/use-file-viewer.tsx'
import { RemoveReportDialog } from './remove-report-dialog.tsx'
import { ReportEntry } from './report-entry.tsx'
import classes from './reports.module.css'

interface ReportsProps {
  readonly issue: Issue
  readonly mayDelete: boolean
}

/** What the reporters of an issue wrote: each text once, or every report. */
export function Reports({ issue, mayDelete }: ReportsProps) {
  const [isDistinct, setDistinct] = useState(true)
  const [removal, setRemoval] = useState<{ readonly report: Report; readonly action: ReportAction }>()
  const query = useInfiniteQuery(reportTextsQuery(issue.id, isDistinct))
  const reports = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { view, viewer } = useFileViewer(reports.flatMap(({ attachments }) => attachments))
  const close = () => setRemoval(undefined)
  // A single report has the same text as the description above, unless that was changed.
  if (issue.reportCount === 1 && !reports.some((report) => isDifferent(report, issue))) return null

  function remove(report: Report, action: ReportAction): void {
    holdKeys(close)
    setRemoval({ report, action })
  }

  return (
    <section aria-labelledby="reports">
      <div className={classes['head']}>
        <h2 id="reports">Reports</h2>
        {issue.reportCount > 1 && (
          <fieldset className={classes['choice']} aria-label="Reports to show">
            <Choice name="Different texts" isChosen={isDistinct} onChoose={() => setDistinct(true)} />
            <Choice name="All reports" isChosen={!isDistinct} onChoose={() => setDistinct(false)} />
          </fieldset>
        )}
      </div>
      {query.error !== null && <InlineFailure error={query.error} onRetry={() => void query.refetch()} />}
      <ol className={classes['entries']}>
        {reports.map((report, index) => (
          <ReportEntry
            key={report.id}
            report={report}
            name={nameOf(issue, report)}
            sameAs={findSame(issue, reports.slice(0, index), report)}
            onView={view}
            onRemove={mayDelete ? remove : undefined}
          />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more reports
        </Button>
      )}
      {viewer}
      {removal !== undefined && (
        <RemoveReportDialog issue={issue} name={nameOf(issue, removal.report)} {...removal} onClose={close} />
      )}
    </section>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ name, isChosen, onChoose }: ChoiceProps) {
  return (
    <Button
      size="compact-sm"
      variant={isChosen ? 'default' : 'subtle'}
      color="gray"
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      {name}
    </Button>
  )
}

/** Its number, and that of its issue if it belongs to a duplicate. */
function nameOf(issue: Issue, { issueId, issueNumber, reportNumber }: Report): string {
  return issueId === issue.id ? `${reportNumber}` : `${reportNumber} of #${issueNumber}`
}

function isDifferent(report: Report, { title, description }: Issue): boolean {
  return report.textOmitted || report.title !== title || report.description !== description
}

/** What is shown further up on the page with the same text; `null`: nothing. */
function findSame(issue: Issue, above: readonly Report[], report: Report): string | null {
  if (report.textOmitted) return null
  if (!isDifferent(report, issue)) return 'the issue'
  const same = above.find(
    ({ issueId, textNumber }) => issueId === report.issueId && textNumber === report.textNumber,
  )
  return same === undefined ? null : `report ${nameOf(issue, same)}`
}
