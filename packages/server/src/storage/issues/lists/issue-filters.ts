import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { IssueSelection } from '../../../model/issue-lists.ts'

/** A piece of SQL with its values, each marked by a `?`. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

type SqlValue = string | number | bigint | null

/** The filters that no index serves, as conditions on `i`: each row has to be looked at. Lanes and statuses are not among them. */
export function residualFilters(selection: IssueSelection): readonly Sql[] {
  const { categories, priorities, platforms, appVersions, branches, createdAfter, createdBefore } = selection
  return [
    ...oneOf('i.category', categories),
    ...oneOf('i.priority', priorities?.map((priority) => PRIORITIES.indexOf(priority)) ?? null),
    ...oneOf('i.platform', platforms),
    ...oneOf('i.app_version', appVersions),
    ...oneOf('i.branch', branches),
    ...(createdAfter === null ? [] : [{ text: 'i.created_at >= ?', values: [createdAfter] }]),
    ...(createdBefore === null ? [] : [{ text: 'i.created_at < ?', values: [createdBefore] }]),
  ]
}

export function oneOf(column: string, values: readonly SqlValue[] | null): readonly Sql[] {
  return values === null ? [] : [{ text: `${column} IN (${values.map(() => '?').join(', ')})`, values }]
}

/** `a AND b`, or what is always true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return {
    text: conditions.map(({ text }) => text).join(' AND ') || 'TRUE',
    values: conditions.flatMap(({ values }) => values),
  }
}
