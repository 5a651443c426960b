import { DEFAULT_JOINT_SORT, ISSUE_STATUSES, JOINT_SORTS, type JointSort } from '@bugle/contract'
import { ASSIGNED_SEARCH } from '../../shell/inbox-address.ts'

/** What a list of all projects shows. */
export interface JointFilters {
  /** Separated by commas; empty for every status. */
  readonly status: string
  /** Only what is assigned to the person. */
  readonly isMine: boolean
  readonly sort: JointSort
}

/** The filters in an address. Whatever the server would refuse is ignored. */
export function readJointFilters(search: Readonly<Record<string, unknown>>): JointFilters {
  const statuses = String(search['status'] ?? '').split(',')
  return {
    status: ISSUE_STATUSES.filter((status) => statuses.includes(status)).join(),
    isMine: search['assignee'] === ASSIGNED_SEARCH.assignee,
    sort: JOINT_SORTS.find((sort) => sort === search['sort']) ?? DEFAULT_JOINT_SORT,
  }
}

export function writeJointFilters({ status, isMine, sort }: JointFilters): Readonly<Record<string, string>> {
  return {
    ...(status !== '' && { status }),
    ...(isMine && { assignee: ASSIGNED_SEARCH.assignee }),
    ...(sort !== DEFAULT_JOINT_SORT && { sort }),
  }
}

/** Identifies a list. */
export function nameOfJoint(filters: JointFilters): string {
  return `*?${new URLSearchParams(writeJointFilters(filters))}`
}
