import pg from 'pg'

/** The rows of one project, read directly from the database. */
export interface StoredRows {
  readonly numbers: readonly number[]
  readonly positions: readonly number[]
  /** The ids of submissions, each with the number of its issue. */
  readonly submissions: ReadonlyMap<string, number>
  /** The number of reports of each fingerprint. */
  readonly reports: ReadonlyMap<string, number>
  readonly notes: ReadonlySet<string>
  readonly deliveries: readonly {
    readonly status: string
    readonly attempts: number
    readonly position: number
  }[]
  /** Counters that differ from a recount of the issues; there should be none. */
  readonly miscounted: readonly object[]
}

export async function readRows(url: string, slug: string): Promise<StoredRows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const select = async <R extends pg.QueryResultRow>(text: string): Promise<readonly R[]> =>
    (await client.query<R>(text, [slug])).rows
  const [issues, events, submissions, deliveries, miscounted] = [
    await select<{ number: number; fingerprint: string | null; report_count: number }>(
      `SELECT number, fingerprint, report_count FROM issues WHERE ${OF_PROJECT} ORDER BY number`,
    ),
    await select<{ position: string; details: string | null }>(
      `SELECT position, details FROM events WHERE ${OF_PROJECT} ORDER BY position`,
    ),
    await select<{ id: string; issue_number: number }>(
      `SELECT id, issue_number FROM submissions WHERE ${OF_PROJECT}`,
    ),
    await select<{ status: string; attempts: number; position: string }>(
      `SELECT status, attempts, position FROM deliveries WHERE ${OF_PROJECT} ORDER BY position`,
    ),
    await select<object>(MISCOUNTED),
  ]
  await client.end()
  const reports = new Map<string, number>()
  for (const { fingerprint, report_count: count } of issues) {
    if (fingerprint !== null) reports.set(fingerprint, (reports.get(fingerprint) ?? 0) + count)
  }
  return {
    numbers: issues.map(({ number }) => number),
    positions: events.map(({ position }) => Number(position)),
    submissions: new Map(submissions.map((row) => [row.id, row.issue_number])),
    reports,
    notes: new Set(events.flatMap(({ details }) => noteOf(details))),
    deliveries: deliveries.map((row) => ({ ...row, position: Number(row.position) })),
    miscounted,
  }
}

/** The nodes that the others count, or did until recently. */
export async function countNodes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('SELECT FROM nodes')
  await client.end()
  return rowCount ?? 0
}

function noteOf(details: string | null): readonly string[] {
  const [, note] = JSON.parse(details ?? '[]') as [unknown, (string | null)?]
  return note ? [note] : []
}

const OF_PROJECT = 'project = (SELECT seq FROM projects WHERE slug = $1)'

const DAY = (milliseconds: string) =>
  `to_char(to_timestamp(${milliseconds} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

/** The contributions of issues to counters, by dimension. */
const COUNTED = {
  status: 'status',
  category: 'category',
  priority: "(ARRAY['low', 'medium', 'high', 'critical'])[priority + 1]",
  platform: 'platform',
  created_day: DAY('created_at'),
  resolved_day: DAY('first_resolved_at'),
}

const RECOUNT = Object.entries(COUNTED)
  .map(
    ([dimension, value]) => `SELECT lane, '${dimension}' AS dimension, ${value} AS value, count(*) AS count
      FROM issues WHERE ${OF_PROJECT} AND ${value} IS NOT NULL GROUP BY lane, ${value}`,
  )
  .concat(
    `SELECT lane, 'reports', '', sum(report_count) FROM issues WHERE ${OF_PROJECT} GROUP BY lane`,
    `SELECT 0, 'intake', 'stored', count(*) FROM issues WHERE ${OF_PROJECT}`,
    `SELECT 0, 'intake', 'joined', count(*) FROM reports WHERE ${OF_PROJECT} HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

const MISCOUNTED = `SELECT * FROM (${RECOUNT}) r
  FULL JOIN (SELECT lane, dimension, value, count AS counted FROM current_counters WHERE ${OF_PROJECT} AND count <> 0
    AND dimension IN ('${Object.keys(COUNTED).join("', '")}', 'reports', 'intake') AND (dimension <> 'intake' OR value IN ('stored', 'joined'))) c
  USING (lane, dimension, value) WHERE count IS DISTINCT FROM counted`
