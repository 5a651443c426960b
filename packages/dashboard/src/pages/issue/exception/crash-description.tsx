import type { Issue } from '@bugle/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { reportTextsQuery } from '../../../api/issues/reports.ts'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { Description } from '../description.tsx'
import { hasException } from './crash-report.ts'
import classes from './exceptions.module.css'

const Exceptions = lazyPart(() => import('./exceptions.tsx'), 'Exceptions')

/** The description of an issue and, if its newest texts have one, what was thrown. */
export function CrashDescription({ issue }: { readonly issue: Issue }) {
  const { data } = useInfiniteQuery(reportTextsQuery(issue.id, true))
  const report = data?.pages[0]?.data.find(hasException)
  const description = <Description text={issue.description} />
  if (report === undefined) return description
  const isTrace = issue.description?.startsWith(report.exception[0]?.type ?? '\0') === true
  return (
    <>
      <Suspense>
        <Exceptions report={report} />
      </Suspense>
      {isTrace ? (
        <details className={classes['text']}>
          <summary>Description as text</summary>
          {description}
        </details>
      ) : (
        description
      )}
    </>
  )
}
