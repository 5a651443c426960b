import type { Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { issueQuery } from '../../../api/issues/issues.ts'
import { useMerges } from '../../../merging/use-merges.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { STATUS_NAMES } from '../../../ui/words.ts'
import { toListItem } from '../../inbox/list/list-items.ts'
import classes from './duplicate-banner.module.css'
import { IssueReference } from './issue-reference.tsx'

interface DuplicateBannerProps {
  readonly issue: Issue
  readonly mayTriage: boolean
}

/** Which issue this one is a duplicate of. */
export function DuplicateBanner({ issue, mayTriage }: DuplicateBannerProps) {
  const { duplicateOf } = issue
  const { data: target } = useQuery({ ...issueQuery(duplicateOf ?? ''), enabled: duplicateOf !== null })
  const { unmerge } = useMerges()
  const [isPending, setPending] = useState(false)
  if (duplicateOf === null) return null

  async function separate(): Promise<void> {
    setPending(true)
    await unmerge(toListItem(issue))
    setPending(false)
  }

  return (
    <section className={classes['banner']} aria-label="Duplicate">
      <Icon name="merge" />
      <div className={classes['words']}>
        <p>
          <b>
            Duplicate of <IssueReference id={duplicateOf} />
          </b>{' '}
          {target !== undefined && (
            <>
              <bdi>{target.title}</bdi> · {STATUS_NAMES[target.status]}
            </>
          )}
        </p>
        <p className={classes['hint']}>
          Its reports count for that issue, which is the one that a regression reopens.
          {mayTriage && ' The status of a duplicate cannot be changed.'}
        </p>
      </div>
      {mayTriage && (
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => void separate()}>
          Unmerge
        </Button>
      )}
    </section>
  )
}
