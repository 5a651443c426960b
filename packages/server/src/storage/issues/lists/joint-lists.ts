import { type ProjectId, projectNumberOf } from '../../../model/ids.ts'
import type { IssueSelection, JointListing, JointPosition, ListBounds } from '../../../model/issue-lists.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { all, List, type Operation, readId, storedId } from '../../operations.ts'
import { codesIn } from '../lane-codes.ts'
import { addLastNumbers } from '../last-numbers.ts'
import { assigneeCounters, type CounterValues, countedBy, statusCounters } from './count-plans.ts'
import { type ListDatabase, listIssues } from './issue-lists.ts'
import type { ORDERS } from './list-candidates.ts'
import type { PlacedRow } from './list-plans.ts'
import { POSITION_COLUMNS, type RevisionRow, revisionColumns, revisionOf } from './revisions.ts'
import { addStatuses } from './status-counters.ts'

/** Higher than the number of any issue. */
const MAX_NUMBER = 2 ** 31

/** Part of a list of several projects: rows with the columns of the dialect, and the projects they belong to. */
export interface JointRows<Row extends PlacedRow> {
  readonly rows: readonly OwnedRow<Row>[]
  readonly next: JointPosition | null
  readonly total: number | null
  /** See `revisionOf`, of all projects. */
  readonly revision: string
}

export interface OwnedRow<Row> {
  readonly projectId: ProjectId
  readonly row: Row
}

/**
 * Merges the lists of several projects. Reading starts with the project that may have the first row, and ends when no other
 * project can have a row of this part, or after a limited number of projects.
 */
export function* listJointly<Row extends PlacedRow>(
  database: ListDatabase,
  listing: JointListing,
): Operation<JointRows<Row>> {
  const { filters, limit } = listing
  const projects = yield* findProjects(database, listing)
  const counts = yield* countInEach(projects, filters)
  const waiting = yield* findStarts(
    database,
    projects.filter(({ seq }) => counts.mayMatch(seq)),
    listing,
  )
  const { readProjects, examinedRows } = database.bounds
  const share = Math.ceil(examinedRows / Math.max(1, Math.min(waiting.length, readProjects)))
  const shared = withBounds(database, { ...database.bounds, examinedRows: share })

  const found: PlacedIssue<Row>[] = []
  // Up to here, all rows of the projects that were read are known.
  let end: JointPosition | null = null
  for (const [index, { project, start }] of waiting.entries()) {
    if (index === readProjects) {
      end = firstOf(end, start)
      break
    }
    const isDecided = found.length > limit && compare(found[limit]?.position ?? start, start) <= 0
    if (isDecided || (end !== null && compare(end, start) <= 0)) break
    const part = yield* listIssues<Row>(shared, {
      selection: { ...filters, projectId: project.id },
      sort: listing.sort,
      start: listing.after === null ? { offset: 0 } : { after: positionIn(project, listing.after) },
      limit,
    })
    const { projectNumber } = project
    const { numberOf } = shared.dialectOf(project.lastNumber)
    for (const row of part.rows)
      found.push({
        projectId: project.id,
        row,
        position: { key: row.k, projectNumber, number: numberOf(row.n) },
      })
    if (part.next !== null) end = firstOf(end, { ...part.next, projectNumber })
    found.sort((one, other) => compare(one.position, other.position))
  }
  const last = end
  const known = last === null ? found : found.filter(({ position }) => compare(position, last) <= 0)
  return {
    rows: known.slice(0, limit).map(({ projectId, row }) => ({ projectId, row })),
    next: known.length > limit ? (known[limit - 1]?.position ?? null) : end,
    total: counts.total,
    revision: projects.map(({ revision }) => revision).join(),
  }
}

interface PlacedIssue<Row> extends OwnedRow<Row> {
  readonly position: JointPosition
}

interface JointProject {
  readonly id: ProjectId
  readonly seq: number
  readonly projectNumber: number
  readonly lastNumber: number
  readonly revision: string
}

const SELECT_PROJECTS = selectProjects(
  (dialect) => `${revisionColumns(dialect)} FROM ${dialect.current('projects')}`,
)
const SELECT_PROJECTS_ON_CLUSTER = selectProjects(() => `${POSITION_COLUMNS} FROM projects`)

function selectProjects(columnsFrom: (dialect: Dialect) => string) {
  const select = (dialect: Dialect) =>
    `SELECT p.id, p.last_issue_number, ${columnsFrom(dialect)} p WHERE slug IS NOT NULL`
  return {
    some: forBoth((dialect) => `${select(dialect)} AND ${dialect.isIdIn('p.id', '$1')} ORDER BY p.seq`),
    all: forBoth((dialect) => `${select(dialect)} ORDER BY p.seq`),
  }
}

function* findProjects(
  { isCluster }: ListDatabase,
  { projectIds: ids, filters }: JointListing,
): Operation<readonly JointProject[]> {
  const select = isCluster ? SELECT_PROJECTS_ON_CLUSTER : SELECT_PROJECTS
  const found =
    ids === null
      ? yield* all<ProjectRow>(select.all)
      : yield* all<ProjectRow>(select.some, new List(ids.map(storedId)))
  const rows = isCluster ? yield* addStatuses(yield* addLastNumbers(found)) : found
  return rows.map((row) => {
    const id = readId('prj', row.id)
    return {
      id,
      seq: row.seq,
      projectNumber: projectNumberOf(id),
      lastNumber: row.last_issue_number,
      revision: revisionOf(row, filters.lanes),
    }
  })
}

interface ProjectRow extends RevisionRow {
  readonly id: unknown
  readonly last_issue_number: number
}

const SELECT_COUNTS = forBoth(
  ({ isIn, counts }) =>
    `SELECT project AS seq, CAST(sum(count) AS bigint) AS count FROM ${counts}
     WHERE ${isIn('project', '$1')} AND ${isIn('lane', '$2')} AND dimension = $3 AND ${isIn('value', '$4')}
     GROUP BY project`,
)

/** What the counters show: projects without an issue that passes one of the filters are not read. */
function* countInEach(
  projects: readonly JointProject[],
  filters: JointListing['filters'],
): Operation<{ readonly total: number | null; mayMatch(seq: number): boolean }> {
  // The counters are the same for every project.
  const selection = { ...filters, projectId: projects[0]?.id } as IssueSelection
  const decisive = countedBy(selection)
  const dimensions = decisive === undefined ? countersOf(selection) : [decisive]
  const found: ReadonlyMap<number, number>[] = []
  for (const { dimension, values } of dimensions) {
    const rows = yield* all<{ seq: number; count: number }>(
      SELECT_COUNTS,
      new List(projects.map(({ seq }) => seq)),
      codesOf(filters),
      dimension,
      new List(values),
    )
    found.push(new Map(rows.map(({ seq, count }) => [seq, count])))
  }
  return {
    total: decisive === undefined ? null : [...(found[0]?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    mayMatch: (seq) => found.every((counts) => (counts.get(seq) ?? 0) > 0),
  }
}

function countersOf(selection: IssueSelection): readonly CounterValues[] {
  const assigned = assigneeCounters(selection)
  const { categories, priorities } = selection
  return [
    statusCounters(selection),
    ...(categories === null ? [] : [{ dimension: 'category', values: categories }]),
    ...(priorities === null ? [] : [{ dimension: 'priority', values: priorities }]),
    ...(assigned === undefined ? [] : [assigned]),
  ]
}

/** For each sort: the highest key of a project, at or below a key, in each lane. One lookup in an index for each. */
const SELECT_HIGHEST: Readonly<Record<JointListing['sort'], Texts>> = {
  updated: selectHighest('updated_at'),
  reports: selectHighest('report_count'),
  priority: selectHighest('priority'),
}

type SortColumn = NonNullable<(typeof ORDERS)[JointListing['sort']]['column']>

function selectHighest(column: SortColumn): Texts {
  return {
    postgres: `SELECT p.seq, h.k FROM unnest($1::integer[]) p (seq)
      CROSS JOIN unnest($2::smallint[]) l (lane) CROSS JOIN LATERAL (${highestOf('p.seq', column)}) h`,
    sqlite: `SELECT p.value AS seq, (
        SELECT i.${column} FROM issues i WHERE i.row >> 32 = p.value AND i.lane = l.value AND i.${column} <= $3
        ORDER BY i.${column} DESC, i.row DESC LIMIT 1) AS k
      FROM json_each($1) p CROSS JOIN json_each($2) l`,
  }
}

function highestOf(project: string, column: string): string {
  return `SELECT i.${column} AS k FROM issues i
    WHERE i.project = ${project} AND i.lane = l.lane AND i.${column} <= CAST($3 AS bigint)
    ORDER BY i.${column} DESC, i.number DESC LIMIT 1`
}

/** The same for one project of a cluster. */
const SELECT_HIGHEST_OF_ONE: Readonly<Record<JointListing['sort'], string>> = {
  updated: selectHighestOfOne('updated_at'),
  reports: selectHighestOfOne('report_count'),
  priority: selectHighestOfOne('priority'),
}

function selectHighestOfOne(column: SortColumn): string {
  return `SELECT CAST($1 AS integer) AS seq, h.k FROM unnest($2::smallint[]) l (lane)
    CROSS JOIN LATERAL (${highestOf('$1', column)}) h`
}

function* readHighest(
  { isCluster = false }: ListDatabase,
  { sort, filters }: JointListing,
  { some, upTo }: { readonly some: readonly JointProject[]; readonly upTo: number },
): Operation<readonly HighestRow[]> {
  const codes = codesOf(filters)
  const seqs = some.map(({ seq }) => seq)
  if (!isCluster) return yield* all<HighestRow>(SELECT_HIGHEST[sort], new List(seqs), codes, upTo)
  const rows: HighestRow[] = []
  for (const seq of seqs)
    rows.push(...(yield* all<HighestRow>(SELECT_HIGHEST_OF_ONE[sort], seq, codes, upTo)))
  return rows
}

interface HighestRow {
  readonly seq: number
  readonly k: number | null
}

interface WaitingProject {
  readonly project: JointProject
  /** At or before its first row in this part of the list. */
  readonly start: JointPosition
}

/** The projects that may have rows, in the order of their first ones. */
function* findStarts(
  database: ListDatabase,
  projects: readonly JointProject[],
  listing: JointListing,
): Operation<readonly WaitingProject[]> {
  const { after } = listing
  const maxKey = after?.key ?? Number.MAX_SAFE_INTEGER
  // Their issues with the key of the position come before it.
  const isPast = ({ projectNumber }: JointProject) => after !== null && projectNumber > after.projectNumber
  const parts = [
    { some: projects.filter((project) => !isPast(project)), upTo: maxKey },
    { some: projects.filter(isPast), upTo: maxKey - 1 },
  ]
  const keys = new Map<number, number>()
  for (const part of parts) {
    if (part.some.length === 0) continue
    for (const { seq, k } of yield* readHighest(database, listing, part))
      if (k !== null) keys.set(seq, Math.max(k, keys.get(seq) ?? k))
  }
  return projects
    .flatMap((project) => {
      const key = keys.get(project.seq)
      if (key === undefined) return []
      const highest = { key, projectNumber: project.projectNumber, number: MAX_NUMBER }
      return [{ project, start: after !== null && compare(highest, after) < 0 ? after : highest }]
    })
    .sort((one, other) => compare(one.start, other.start))
}

/** The position within the list of one project. */
function positionIn({ projectNumber }: JointProject, { key, number, ...after }: JointPosition) {
  if (projectNumber === after.projectNumber) return { key, number }
  return { key, number: projectNumber < after.projectNumber ? MAX_NUMBER : 0 }
}

/** Negative if the first position is before the other. All these lists are in descending order. */
function compare(one: JointPosition, other: JointPosition): number {
  return other.key - one.key || other.projectNumber - one.projectNumber || other.number - one.number
}

function firstOf(one: JointPosition | null, other: JointPosition): JointPosition {
  return one !== null && compare(one, other) <= 0 ? one : other
}

function withBounds(database: ListDatabase, bounds: ListBounds): ListDatabase {
  return {
    ...database,
    bounds,
    dialectOf: (lastNumber) => ({ ...database.dialectOf(lastNumber), bounds }),
  }
}

function codesOf(filters: JointListing['filters']): List {
  return new List(codesIn(filters))
}
