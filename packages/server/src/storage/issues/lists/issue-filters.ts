import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { IssueSelection } from '../../../model/issue-lists.ts'

/** A piece of SQL with its values, each marked by a `?`. */
export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

type SqlValue = string | number | bigint | null

/** How many filters there are besides lanes and statuses. */
export function countFilters(selection: IssueSelection): number {
  return residualFilters(selection, allOf([])).length
}

/** Whether issues are selected by their status at most: counters have their number, and an index has them in order. */
export function isByStatusOnly(selection: IssueSelection): boolean {
  return selection.search === null && countFilters(selection) === 0
}

/**
 * The filters without an index, as conditions on `i`: each row has to be examined. Lanes and statuses are not included.
 * `isOfIssue`: whether a row `x` of another table belongs to `i`.
 */
export function residualFilters(selection: IssueSelection, isOfIssue: Sql): readonly Sql[] {
  const { categories, priorities, platforms, appVersions, branches } = selection
  const { osVersions, deviceModels, buildNumbers, fingerprints, onDefaultBranch } = selection
  const { assignees, labels, reporters, conversations } = selection
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = selection
  return [
    ...oneOf('i.category', categories),
    ...oneOf('i.priority', priorities?.map((priority) => PRIORITIES.indexOf(priority)) ?? null),
    ...oneOf('i.platform', platforms),
    ...oneOf('i.app_version', appVersions),
    ...oneOf('i.branch', branches),
    ...oneOf('i.os_version', osVersions),
    ...oneOf('i.device_model', deviceModels),
    ...oneOf('i.build_number', buildNumbers),
    ...oneOf('i.fingerprint', fingerprints),
    ...oneOf('i.assignee_id', assignees),
    ...labelled(labels),
    ...(reporters === null ? [] : [reportedBy(reporters, isOfIssue)]),
    ...oneOf('i.conversation', conversations),
    ...oneOf('i.on_default_branch', onDefaultBranch === null ? null : [Number(onDefaultBranch)]),
    ...within('i.created_at', createdAfter, createdBefore),
    ...within('i.updated_at', updatedAfter, updatedBefore),
  ]
}

/** That an issue has one of the labels. */
function labelled(labels: readonly number[] | null): readonly Sql[] {
  if (labels === null) return []
  const text = labels.map(() => 'i.labels LIKE ?').join(' OR ')
  return [{ text: `(${text})`, values: labels.map((label) => `%,${label},%`) }]
}

/** That one of these people has reported an issue. With `LIMIT`, PostgreSQL looks up each issue and does not read the whole table. */
function reportedBy(reporters: readonly string[], isOfIssue: Sql): Sql {
  const where = allOf([
    isOfIssue,
    {
      text: `(${['x.reporter', 'x.email'].flatMap((column) => oneOf(column, reporters).map(({ text }) => text)).join(' OR ')})`,
      values: [...reporters, ...reporters],
    },
  ])
  return {
    text: `(SELECT 1 FROM issue_reporters x WHERE ${where.text} LIMIT 1) IS NOT NULL`,
    values: where.values,
  }
}

export function within(column: string, from: number | null, before: number | null): readonly Sql[] {
  return [
    ...(from === null ? [] : [{ text: `${column} >= ?`, values: [from] }]),
    ...(before === null ? [] : [{ text: `${column} < ?`, values: [before] }]),
  ]
}

/** Whether a column has one of the values; `null` among them stands for NULL. */
export function oneOf(column: string, wanted: readonly SqlValue[] | null): readonly Sql[] {
  if (wanted === null) return []
  const values = wanted.filter((value) => value !== null)
  const isOne = `${column} IN (${values.map(() => '?').join(', ')})`
  if (values.length === wanted.length) return [{ text: isOne, values }]
  return [{ text: values.length === 0 ? `${column} IS NULL` : `(${column} IS NULL OR ${isOne})`, values }]
}

/** `a AND b`, or a condition that is always true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return {
    text: conditions.map(({ text }) => text).join(' AND ') || 'TRUE',
    values: conditions.flatMap(({ values }) => values),
  }
}
