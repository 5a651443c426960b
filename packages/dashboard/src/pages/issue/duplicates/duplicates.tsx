import type { Issue, IssueListItem } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { duplicatesQuery } from '../../../api/issues/duplicates.ts'
import { useMerges } from '../../../merging/use-merges.ts'
import { useProject } from '../../../shell/current-project.ts'
import { issueAddress } from '../../../shell/issue-address.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { Ago } from '../../../ui/time.tsx'
import { countOf, formatCount } from '../../../ui/words.ts'
import classes from './duplicates.module.css'

interface DuplicatesProps {
  readonly issue: Issue
  readonly mayTriage: boolean
}

/** The issues that were merged into this one, with the number of their reports. Most issues have none. */
export function Duplicates({ issue, mayTriage }: DuplicatesProps) {
  const count = issue.duplicateCount ?? 0
  const query = useInfiniteQuery({ ...duplicatesQuery(issue.id), enabled: count > 0 })
  if (count === 0) return null
  const duplicates = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates" className={classes['head']}>
        Duplicates <span className={classes['count']}>{formatCount(count)}</span>
      </h2>
      {query.error !== null && <InlineFailure error={query.error} onRetry={() => void query.refetch()} />}
      <ul className={classes['entries']}>
        {duplicates.map((duplicate) => (
          <Duplicate key={duplicate.id} duplicate={duplicate} mayTriage={mayTriage} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more duplicates
        </Button>
      )}
    </section>
  )
}

interface DuplicateProps {
  readonly duplicate: IssueListItem
  readonly mayTriage: boolean
}

function Duplicate({ duplicate, mayTriage }: DuplicateProps) {
  const { slug } = useProject()
  const { unmerge } = useMerges()
  const [isPending, setPending] = useState(false)
  const { issueNumber, title, status, reportCount, lastReportedAt } = duplicate

  async function separate(): Promise<void> {
    setPending(true)
    await unmerge(duplicate)
    setPending(false)
  }

  return (
    <li className={classes['entry']}>
      <StatusIcon status={status} />
      <Link {...issueAddress(slug, duplicate)} className={classes['title']}>
        #{issueNumber} <bdi>{title}</bdi>
      </Link>
      <span className={classes['reports']}>
        {countOf(reportCount, 'report')}, last <Ago at={lastReportedAt} />
      </span>
      {mayTriage && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Unmerge #${issueNumber}`}
          loading={isPending}
          onClick={() => void separate()}
        >
          Unmerge
        </Button>
      )}
    </li>
  )
}
