import { everyIssue } from '../../model/issue-lists.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { PUBLIC_SIGHT } from '../access/access.ts'

/** The issues that anyone could read if a project were public. */
export interface PublicPreview {
  /** `null` if there are too many to count. */
  readonly issueCount: number | null
  /** The newest few. */
  readonly issues: readonly { readonly issueNumber: number; readonly title: string }[]
}

const SHOWN_ISSUES = 5

export async function previewPublic(
  { issues }: Pick<Storage, 'issues'>,
  { id }: Pick<ProjectRecord, 'id'>,
): Promise<PublicPreview> {
  const selection = everyIssue(id, PUBLIC_SIGHT.lanes)
  const newest = {
    selection,
    sort: 'newest',
    start: { offset: 0 },
    limit: SHOWN_ISSUES,
    omitsTotal: true,
  } as const
  const listed = (await issues.list(newest)).issues
  return {
    issueCount: await issues.count(selection),
    issues: listed.map(({ issueNumber, title }) => ({ issueNumber, title })),
  }
}
