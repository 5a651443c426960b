import type { Issue, Report } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { type ReportAction, reportTextsQuery } from '../../../api/issues/reports.ts'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { holdKeys } from '../../../ui/hold-keys.ts'
import { useFileViewer } from '../files/use-file-viewer.tsx'
import { RemoveReportDialog } from './remove-report-dialog.tsx'
import { ReportEntry } from './report-entry.tsx'
import classes from './reports.module.css'

const BlockDialog = lazyPart(() => import('../conversation/block-dialog.tsx'), 'BlockDialog')

interface ReportsProps {
  readonly issue: Issue
  readonly mayTriage: boolean
  readonly mayDelete: boolean
  readonly onReply: (to: ReplyTo) => void
}

/** What the reporters of an issue wrote: each text once, or every report. */
export function Reports({ issue, mayTriage, mayDelete, onReply }: ReportsProps) {
  const [isDistinct, setDistinct] = useState(true)
  const [removal, setRemoval] = useState<{ readonly report: Report; readonly action: ReportAction }>()
  const [blocking, setBlocking] = useState<Report>()
  const query = useInfiniteQuery(reportTextsQuery(issue.id, isDistinct))
  const reports = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { view, viewer } = useFileViewer(reports.flatMap(({ attachments }) => attachments))
  const close = () => {
    setRemoval(undefined)
    setBlocking(undefined)
  }
  // A single report has the same text as the description above, unless that was changed.
  if (issue.reportCount === 1 && !reports.some((report) => isDifferent(report, issue))) return null

  function remove(report: Report, action: ReportAction): void {
    holdKeys(close)
    setRemoval({ report, action })
  }

  function block(report: Report): void {
    holdKeys(close)
    setBlocking(report)
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
            onBlock={mayTriage ? block : undefined}
            // Replies to the reporters of a duplicate are written on its own page.
            onReply={mayTriage && report.issueId === issue.id ? onReply : undefined}
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
      {blocking !== undefined && (
        <Suspense>
          <BlockDialog
            issue={issue}
            report={blocking}
            isBlocked={blocking.isReporterBlocked}
            onClose={close}
          />
        </Suspense>
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
