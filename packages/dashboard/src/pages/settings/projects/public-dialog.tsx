import type { ProjectSettings, PublicPreview } from '@bugle/contract/settings'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { publicPreviewQuery } from '../../../api/settings.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { countOf } from '../../../ui/words.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'

interface PublicDialogProps {
  readonly project: ProjectSettings
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for confirmation before a project is made public, with what anyone can then read. */
export function PublicDialog({ project, onConfirm, onClose }: PublicDialogProps) {
  const { data: preview, error, refetch } = useQuery(publicPreviewQuery(project.id))
  return (
    <ChangeDialog
      title={`Make ${project.name} public?`}
      action="Make public"
      isDangerous
      isReady={preview !== undefined}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      {preview === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {preview === undefined && error === null && <Skeleton height={160} />}
      {preview !== undefined && <Preview preview={preview} slug={project.slug} />}
    </ChangeDialog>
  )
}

function Preview({ preview, slug }: { readonly preview: PublicPreview; readonly slug: string }) {
  const { issueCount, issues } = preview
  const what = issueCount === null ? 'a large number of issues' : countOf(issueCount, 'issue')
  return (
    <>
      <p>
        Anyone will be able to read <strong>{what}</strong> of this project without signing in, and all future
        ones. Security issues, spam, reporters, devices and the history stay hidden.
      </p>
      {issues.length > 0 && (
        <div>
          <p className={classes['hint']}>Newest issues:</p>
          <ul className={classes['preview']}>
            {issues.map(({ issueNumber, title }) => (
              <li key={issueNumber}>
                #{issueNumber} <bdi>{title}</bdi>
              </li>
            ))}
          </ul>
          <Link to="/projects/$slug/issues" params={{ slug }} search={{}} target="_blank">
            Review the issues first
          </Link>
        </div>
      )}
    </>
  )
}
