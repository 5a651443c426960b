import {
  type BulkChange,
  type BulkPatch,
  type BulkResult,
  endpoints,
  type IssueListItem,
} from '@bugle/contract'
import { client } from '../../../api/client.ts'
import { type Filters, toQuery } from '../filters/filters.ts'

/** All issues that match the filters: as many as the person has seen. */
export interface Matching {
  readonly filters: Filters
  readonly count: number
}

/** An issue as it was last read. */
export type IssueVersion = Pick<IssueListItem, 'id' | 'version'>

/** Issues as the list shows them, or all that match. */
export type Chosen = readonly IssueVersion[] | Matching

export type BulkStep =
  | { readonly action: 'delete' | 'mark_spam' | 'unmark_spam' }
  | { readonly action: 'change'; readonly patch: BulkPatch }

/** Changes all of the chosen issues or, if one of them has changed in the meantime, none. */
export async function changeTogether(projectId: string, chosen: Chosen, step: BulkStep): Promise<BulkResult> {
  const bulkId = crypto.randomUUID()
  const { body } = await client.call(endpoints.changeIssues, {
    body: { bulkId, projectId, ...selectionOf(chosen), ...step },
  })
  return body
}

export function countOfChosen(chosen: Chosen): number {
  return 'filters' in chosen ? chosen.count : chosen.length
}

function selectionOf(chosen: Chosen): Pick<BulkChange, 'issues' | 'filter' | 'count'> {
  if (!('filters' in chosen)) return { issues: chosen.map(({ id, version }) => ({ id, version })) }
  const { sort: _, ...filter } = toQuery(chosen.filters)
  return { filter: filter as object as NonNullable<BulkChange['filter']>, count: chosen.count }
}
