import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { attachmentsQuery } from '../../../api/issues/attachments.ts'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { FileTile } from './file-tile.tsx'
import classes from './files.module.css'
import { isTrail } from './read-steps.ts'
import { isViewable, useFileViewer } from './use-file-viewer.tsx'

const Trail = lazyPart(() => import('./trail.tsx'), 'Trail')

/** The files that came with the reports of an issue. Most issues have none, and then nothing is shown. */
export function Files({ issueId }: { readonly issueId: string }) {
  const query = useInfiniteQuery(attachmentsQuery(issueId))
  const files = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { view, viewer } = useFileViewer(files)
  // That of the newest report.
  const trail = files.find(isTrail)
  if (query.error === null && files.length === 0) return null

  return (
    <section aria-labelledby="files">
      <h2 id="files" className={classes['head']}>
        Files
      </h2>
      {query.error !== null && <InlineFailure error={query.error} onRetry={() => void query.refetch()} />}
      {trail && (
        <Suspense>
          <Trail file={trail} />
        </Suspense>
      )}
      <ul className={classes['tiles']}>
        {files.map((file) => (
          <FileTile key={file.id} file={file} onView={isViewable(file) ? view : undefined} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more files
        </Button>
      )}
      {viewer}
    </section>
  )
}
