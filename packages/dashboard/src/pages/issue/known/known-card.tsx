import type { Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useProject } from '../../../shell/current-project.ts'
import type { IssueChanges } from '../changes/use-issue-changes.ts'
import classes from './known.module.css'
import { KnownPreview } from './known-preview.tsx'

interface KnownCardProps {
  readonly issue: Issue
  readonly known: NonNullable<Issue['known']>
  readonly changes: IssueChanges
  readonly mayTriage: boolean
  readonly onEdit: () => void
}

/** What is published about the issue. */
export function KnownCard({ issue, known, changes, mayTriage, onEdit }: KnownCardProps) {
  const { isPublic, slug } = useProject()
  return (
    <section className={classes['card']} aria-label="Known issue">
      <div className={classes['head']}>
        <h2>Published as a known issue</h2>
        {mayTriage && (
          <div className={classes['buttons']}>
            <Button size="compact-sm" variant="default" onClick={onEdit}>
              Edit…
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={changes.isPending}
              onClick={() => void changes.change({ known: null }, issue)}
            >
              Unpublish
            </Button>
          </div>
        )}
      </div>
      <KnownPreview issue={issue} {...known} />
      {isPublic && (
        <p className={classes['caption']}>
          Also on{' '}
          <a href={`/p/${slug}`} target="_blank" rel="noreferrer">
            the public page
          </a>
          .
        </p>
      )}
    </section>
  )
}
