import { type Counts, counterName, isFull, isOpenValue, REST } from '../sql/counters.ts'
import type { CounterKey, ProjectCounters } from '../sql/issue-tables.ts'
import { prepared, type Transaction } from './connection.ts'

/** Counters remembered by name. When they are too many it starts over: looking up again is cheap. */
const MAX_REMEMBERED = 50_000

const ADD = prepared(
  'add_to_counters',
  `INSERT INTO counters (project, lane, dimension, value, count)
   SELECT $1, lane, dimension, value, count FROM json_populate_recordset(NULL::counters, $2)
   ON CONFLICT (project, lane, dimension, value) DO UPDATE SET count = counters.count + excluded.count`,
)
const SELECT_KNOWN = prepared(
  'known_counters',
  `SELECT c.lane, c.dimension, c.value FROM json_populate_recordset(NULL::counters, $2) k
   CROSS JOIN LATERAL (SELECT * FROM counters WHERE project = $1 AND lane = k.lane AND dimension = k.dimension
     AND value = k.value LIMIT 1) c`,
)
const COUNT_VALUES = prepared(
  'count_values',
  `SELECT k.lane, k.dimension, c.count
   FROM (SELECT DISTINCT lane, dimension FROM json_populate_recordset(NULL::counters, $2)) k
   CROSS JOIN LATERAL (SELECT count(*) AS count FROM counters
     WHERE project = $1 AND lane = k.lane AND dimension = k.dimension) c`,
)

export interface CounterWrites {
  write(tx: Transaction, project: ProjectCounters, counts: Counts): Promise<void>
}

/** Adds to counters. A value once counted by name always is, and one counted as `other` too, so both can be remembered. */
export function createCounterWrites(): CounterWrites {
  const remembered = new Map<string, string>()

  function remember(key: CounterKey, name: string): void {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(counterName(key), name)
  }

  /** Under which names values are counted that this process has not counted before. */
  async function findNames(
    tx: Transaction,
    project: ProjectCounters,
    keys: readonly CounterKey[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = JSON.stringify(keys)
    const [known, dimensions] = await Promise.all([
      tx.run<CounterRow>(SELECT_KNOWN(project.seq, rows)),
      tx.run<DimensionRow>(COUNT_VALUES(project.seq, rows)),
    ])
    for (const row of known) remember({ projectSeq: project.seq, ...row }, row.value)
    const counted = new Map(dimensions.map((row) => [dimensionName(row), row.count]))
    const names = new Map<string, string>()
    for (const key of keys) {
      if (remembered.has(counterName(key))) continue
      const values = counted.get(dimensionName(key)) ?? 0
      names.set(counterName(key), isFull(values) ? REST : key.value)
      // Not remembered yet: only the commit makes it so.
      counted.set(dimensionName(key), values + 1)
    }
    return names
  }

  return {
    async write(tx, project, counts) {
      const keys = Array.from(counts, ([key]) => key)
      const unknown = keys.filter((key) => isOpenValue(key) && !remembered.has(counterName(key)))
      const names = unknown.length > 0 ? await findNames(tx, project, unknown) : remembered
      const rows = new Map<string, CounterRow & { count: number }>()
      for (const [key, by] of counts) {
        const { lane, dimension } = key
        const name = counterName(key)
        const value = remembered.get(name) ?? names.get(name) ?? key.value
        const row = rows.get(counterName({ ...key, value }))
        if (row === undefined) rows.set(counterName({ ...key, value }), { lane, dimension, value, count: by })
        else row.count += by
      }
      if (rows.size > 0) tx.send(ADD(project.seq, JSON.stringify([...rows.values()])))
    },
  }
}

function dimensionName({ lane, dimension }: Pick<CounterKey, 'lane' | 'dimension'>): string {
  return `${lane} ${dimension}`
}

interface CounterRow {
  readonly lane: number
  readonly dimension: string
  readonly value: string
}

interface DimensionRow {
  readonly lane: number
  readonly dimension: string
  readonly count: number
}
