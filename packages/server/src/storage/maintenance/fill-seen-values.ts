import type { Texts } from '../dialects.ts'

/**
 * Fills versions, builds and branches, and the related columns of issues, from all stored issues and reports. A migration of each
 * database consists of these statements, so they never change: a later schema needs new statements.
 */
export function fillSeenValues(): Statements {
  return forBoth((dialect) => [
    fillSources(dialect, 'TRUE'),
    fillRegressions(dialect, 'TRUE'),
    ...fillFromSources(dialect, 'TRUE'),
  ])
}

/** Fills the sources of reports by day, in the form of a later migration. These statements never change either. */
export function fillDailySources(): Statements {
  return forBoth((dialect) => fillSourcesByDay(dialect, 'TRUE'))
}

/** Fills all of these for a project that was imported from a file of an earlier release. */
export function fillImportedProject(project: number): Statements {
  return forBoth((dialect) => {
    const isFilled = dialect.isOfProject(project)
    return [...fillSourcesByDay(dialect, isFilled), ...fillFromSources(dialect, isFilled, project)]
  })
}

/**
 * Moves builds, which were entries of their own, to the entries of their versions: each of these then counts the reports that name no
 * build, or one that is not kept by name. These statements never change either.
 */
export function moveBuilds(): Statements {
  return forBoth((dialect) => moveBuildsWhere(dialect, () => 'TRUE'))
}

/** The same for an imported project, whose versions may just have been filled, or be those of an earlier release. */
export function moveBuildsOfProject(project: number): Statements {
  return forBoth((dialect) => moveBuildsWhere(dialect, (row) => `${row}.project = ${project}`))
}

type Statements = Readonly<Record<keyof Texts, readonly string[]>>

function forBoth(write: (dialect: FillDialect) => readonly string[]): Statements {
  return { sqlite: write(SQLITE), postgres: write(POSTGRES) }
}

/** How a database identifies the issues of a project. */
interface FillDialect {
  readonly projectOfIssue: string
  /** The columns that identify the issue of a row, as in `reports r`. */
  readonly issueKey: readonly string[]
  isOfProject(project: number): string
  /** Whether `issues i` is the issue of a row. */
  isIssueOf(row: string): string
  /** Whether two rows belong to the same issue. */
  isSameIssue(row: string, other: string): string
  jsonPair(one: string, other: string): string
  /** An item of a JSON array of two texts. */
  jsonItem(pair: string, index: 0 | 1): string
  /** The day of a time, `YYYY-MM-DD` in UTC. */
  day(column: string): string
}

const SQLITE: FillDialect = {
  projectOfIssue: 'i.row >> 32',
  issueKey: ['issue_row'],
  isOfProject: (project) => `i.row > (${project} << 32) AND i.row < ((${project} + 1) << 32)`,
  isIssueOf: (row) => `i.row = ${row}.issue_row`,
  isSameIssue: (row, other) => `${row}.issue_row = ${other}.issue_row`,
  jsonPair: (one, other) => `json_array(${one}, ${other})`,
  jsonItem: (pair, index) => `json_extract(${pair}, '$[${index}]')`,
  day: (column) => `date(${column} / 1000, 'unixepoch')`,
}

const POSTGRES: FillDialect = {
  projectOfIssue: 'i.project',
  issueKey: ['project', 'issue_number'],
  isOfProject: (project) => `i.project = ${project}`,
  isIssueOf: (row) => `i.project = ${row}.project AND i.number = ${row}.issue_number`,
  isSameIssue: (row, other) =>
    `${row}.project = ${other}.project AND ${row}.issue_number = ${other}.issue_number`,
  jsonPair: (one, other) => `'[' || to_json(${one}) || ',' || to_json(${other}) || ']'`,
  jsonItem: (pair, index) => `(${pair}::json ->> ${index})`,
  day: (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
}

function fillFromSources(dialect: FillDialect, isFilled: string, project?: number): readonly string[] {
  return [
    fillLastSeen(dialect, isFilled),
    fillDefaultBranch(dialect, isFilled, project),
    // A project is imported into the current tables.
    fillValues(dialect, isFilled, project === undefined ? '' : ', build_number'),
    fillCounters(dialect, isFilled),
  ]
}

const SOURCE = ['app_version', 'build_number', 'branch']
const sourceOf = (row: string) => SOURCE.map((column) => `coalesce(${row}.${column}, '')`)

/** Additional columns of sources, and the matching expressions in `reports r` and `issues i`. */
type SourceColumns = Readonly<Record<string, string>>

function fillSourcesByDay(dialect: FillDialect, isFilled: string): readonly string[] {
  const added = { day: dialect.day('r.received_at'), lane: 'i.lane' }
  return [fillSources(dialect, isFilled, added), fillRegressions(dialect, isFilled, added)]
}

function fillSources(
  { issueKey, isIssueOf }: FillDialect,
  isFilled: string,
  added: SourceColumns = {},
): string {
  const columns = [...issueKey, ...SOURCE, ...Object.keys(added)]
  const values = [...issueKey.map((column) => `r.${column}`), ...sourceOf('r'), ...Object.values(added)]
  return `INSERT INTO report_sources (${columns.join(', ')}, count, regressions, first_at, last_at)
    SELECT ${values.join(', ')}, count(*), 0, min(r.received_at), max(r.received_at)
    FROM reports r JOIN issues i ON ${isIssueOf('r')} WHERE ${isFilled}
    GROUP BY ${values.join(', ')} ON CONFLICT DO NOTHING`
}

/** A report that reopened an issue has an event with the same time and with changes; the event of a confirmed regression has no changes. */
function fillRegressions(
  { issueKey, isIssueOf, isSameIssue }: FillDialect,
  isFilled: string,
  { day }: SourceColumns = {},
): string {
  const key = issueKey.map((column) => `r.${column}`)
  const names = day === undefined ? SOURCE : [...SOURCE, 'day']
  const values = day === undefined ? sourceOf('r') : [...sourceOf('r'), day]
  return `UPDATE report_sources AS s SET regressions = g.regressions FROM (
      SELECT ${[...key, ...values.map((text, index) => `${text} AS ${names[index]}`)].join(', ')},
        count(*) AS regressions
      FROM (
        SELECT ${issueKey.map((column) => `e.${column}`).join(', ')},
          (SELECT min(o.number) FROM reports o WHERE ${isSameIssue('o', 'e')} AND o.received_at = e.at) AS number
        FROM events e JOIN issues i ON ${isIssueOf('e')}
        WHERE e.type = 'issue.regressed' AND e.details LIKE '[[{%' AND ${isFilled}) x
      JOIN reports r ON ${isSameIssue('r', 'x')} AND r.number = x.number
      GROUP BY ${[...key, ...values].join(', ')}) g
    WHERE ${isSameIssue('s', 'g')} AND ${names.map((column) => `s.${column} = g.${column}`).join(' AND ')}`
}

function fillLastSeen({ isIssueOf }: FillDialect, isFilled: string): string {
  return `UPDATE issues AS i SET (last_seen_version, last_seen_build) = (
      SELECT r.app_version, r.build_number FROM reports r WHERE ${isIssueOf('r')} AND r.app_version <> ''
      ORDER BY r.number DESC LIMIT 1)
    WHERE i.report_count > 1 AND ${isFilled}`
}

/** Of one project, the name is read once: a cluster cannot look it up for each issue. */
function fillDefaultBranch(
  { projectOfIssue, isIssueOf }: FillDialect,
  isFilled: string,
  project?: number,
): string {
  const [name, from] =
    project === undefined
      ? [`(SELECT p.default_branch FROM projects p WHERE p.seq = ${projectOfIssue})`, '']
      : ['n.name', `FROM (SELECT default_branch AS name FROM projects WHERE seq = ${project}) n`]
  const hasReport = (condition: string) =>
    `EXISTS (SELECT 1 FROM report_sources s WHERE ${isIssueOf('s')} AND s.branch ${condition})`
  return `UPDATE issues AS i SET on_default_branch = CASE
      WHEN i.branch = ${name} OR ${hasReport(`= ${name}`)} THEN 1
      WHEN i.branch <> '' OR ${hasReport("<> ''")} THEN 0 END
    ${from} WHERE (i.branch <> '' OR i.report_count > 1) AND ${isFilled}`
}

const MAX_VALUES = 1_000
const NEVER_FIRST = 8_640_000_000_000_000

function fillValues(
  { projectOfIssue, isIssueOf, jsonPair }: FillDialect,
  isFilled: string,
  emptyColumn: string,
): string {
  const first = (dimension: string, value: string, condition: string) =>
    `SELECT ${projectOfIssue} AS project, i.lane AS lane, '${dimension}' AS dimension, ${value} AS value, 1 AS reports,
       1 AS new_issues, 0 AS fixed_issues, 0 AS regressions, i.created_at AS first_at, i.created_at AS last_at
     FROM issues i WHERE ${condition} AND ${isFilled}`
  const further = (dimension: string, value: string, condition: string) =>
    `SELECT ${projectOfIssue}, i.lane, '${dimension}', ${value}, s.count, 0, 0, s.regressions, s.first_at, s.last_at
     FROM report_sources s JOIN issues i ON ${isIssueOf('s')} WHERE ${condition} AND ${isFilled}`
  const both = (
    dimension: string,
    valueIn: (row: string) => string,
    conditionOn: (row: string) => string,
  ) => [first(dimension, valueIn('i'), conditionOn('i')), further(dimension, valueIn('s'), conditionOn('s'))]
  const isNamed = (row: string) => `${row}.app_version <> ''`
  const contributions = [
    ...both('version', (row) => `${row}.app_version`, isNamed),
    ...both(
      'build',
      (row) => jsonPair(`${row}.app_version`, `${row}.build_number`),
      (row) => `${isNamed(row)} AND ${row}.build_number <> ''`,
    ),
    ...both(
      'branch',
      (row) => `${row}.branch`,
      (row) => `${row}.branch <> ''`,
    ),
    `SELECT ${projectOfIssue}, i.lane, 'version', i.fixed_in_version, 0, 0, 1, 0, ${NEVER_FIRST}, 0
     FROM issues i WHERE i.fixed_in_version IS NOT NULL AND ${isFilled}`,
  ]
  return `INSERT INTO seen_values (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at,
      last_at, includes_rest${emptyColumn})
    SELECT project, lane, dimension, kept, sum(reports), sum(new_issues), sum(fixed_issues), sum(regressions),
      CASE WHEN max(place) > ${MAX_VALUES} THEN ${NEVER_FIRST} ELSE min(first_at) END,
      CASE WHEN max(place) > ${MAX_VALUES} THEN 0 ELSE max(last_at) END,
      CASE WHEN max(place) > ${MAX_VALUES} THEN 1 ELSE 0 END${emptyColumn && ", ''"}
    FROM (SELECT ranked.*, CASE WHEN place <= ${MAX_VALUES} THEN value ELSE 'other' END AS kept FROM (
      SELECT summed.*, row_number() OVER (PARTITION BY project, lane, dimension
        ORDER BY CASE WHEN value = 'other' THEN 1 ELSE 0 END, reports DESC, last_at DESC, value) AS place
      FROM (
        SELECT project, lane, dimension, value, sum(reports) AS reports, sum(new_issues) AS new_issues,
          sum(fixed_issues) AS fixed_issues, sum(regressions) AS regressions, min(first_at) AS first_at, max(last_at) AS last_at
        FROM (${contributions.join(' UNION ALL ')}) contributions
        GROUP BY project, lane, dimension, value) summed) ranked) named
    GROUP BY project, lane, dimension, kept`
}

function fillCounters({ projectOfIssue }: FillDialect, isFilled: string): string {
  const counts = ['os_version', 'device_model'].map(
    (column) =>
      `SELECT ${projectOfIssue} AS project, i.lane AS lane, '${column}' AS dimension, i.${column} AS value, count(*) AS count
       FROM issues i WHERE i.${column} IS NOT NULL AND ${isFilled} GROUP BY 1, 2, 4`,
  )
  return `INSERT INTO counters (project, lane, dimension, value, count)
    SELECT project, lane, dimension, kept, sum(count)
    FROM (SELECT ranked.*, CASE WHEN place <= ${MAX_VALUES} THEN value ELSE 'other' END AS kept FROM (
      SELECT counted.*, row_number() OVER (PARTITION BY project, lane, dimension ORDER BY count DESC, value) AS place
      FROM (${counts.join(' UNION ALL ')}) counted) ranked) named
    WHERE TRUE GROUP BY project, lane, dimension, kept ON CONFLICT DO NOTHING`
}

const NAMED_BUILD = "dimension = 'build' AND s.value LIKE '[%'"

function moveBuildsWhere({ jsonItem }: FillDialect, isMoved: (row: string) => string): readonly string[] {
  const added = ['reports', 'new_issues', 'regressions']
  // A version that was folded in the meantime has fewer reports than its builds, which are then not kept.
  const builds = `SELECT b.*, ${added.map((column) => `sum(${column}) OVER same AS all_${column}`).join(', ')} FROM (
      SELECT s.*, ${jsonItem('s.value', 0)} AS version, ${jsonItem('s.value', 1)} AS number FROM seen_values s
      WHERE s.${NAMED_BUILD} AND ${isMoved('s')}) b
    WINDOW same AS (PARTITION BY project, lane, version)`
  return [
    `INSERT INTO seen_values (project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at,
        last_at, includes_rest)
      SELECT b.project, b.lane, 'version', b.version, b.number, b.reports, b.new_issues, b.fixed_issues, b.regressions, b.first_at,
        b.last_at, 0
      FROM (${builds}) b JOIN seen_values v ON v.project = b.project AND v.lane = b.lane AND v.dimension = 'version'
        AND v.value = b.version AND v.build_number = ''
      WHERE ${isMoved('v')} AND ${added.map((column) => `b.all_${column} <= v.${column}`).join(' AND ')}`,
    `UPDATE seen_values AS s SET ${added.map((column) => `${column} = s.${column} - b.${column}`).join(', ')},
        first_at = CASE WHEN s.reports = b.reports THEN ${NEVER_FIRST} ELSE s.first_at END,
        last_at = CASE WHEN s.reports = b.reports THEN 0 ELSE s.last_at END
      FROM (SELECT s.project, s.lane, s.value, ${added.map((column) => `sum(s.${column}) AS ${column}`).join(', ')} FROM seen_values s
        WHERE s.dimension = 'version' AND s.build_number <> '' AND ${isMoved('s')} GROUP BY s.project, s.lane, s.value) b
      WHERE s.project = b.project AND s.lane = b.lane AND s.dimension = 'version' AND s.value = b.value AND s.build_number = ''
        AND ${isMoved('s')} AND EXISTS (SELECT 1 FROM seen_values o WHERE ${isMoved('o')} AND o.project = s.project AND o.lane = s.lane AND o.dimension = 'build')`,
    `UPDATE seen_values AS s SET includes_rest = 1
      WHERE s.dimension = 'version' AND s.build_number = '' AND s.value <> 'other' AND s.reports > 0 AND ${isMoved('s')}
        AND EXISTS (SELECT 1 FROM seen_values o
          WHERE ${isMoved('o')} AND o.project = s.project AND o.lane = s.lane AND o.dimension = 'build' AND o.value = 'other')`,
    `DELETE FROM seen_values AS s WHERE s.dimension = 'version' AND s.build_number = '' AND s.reports = 0 AND s.new_issues = 0
        AND s.fixed_issues = 0 AND s.regressions = 0 AND ${isMoved('s')}`,
    `DELETE FROM seen_values AS s WHERE s.dimension = 'build' AND ${isMoved('s')}`,
  ]
}
