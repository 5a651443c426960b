import { OTHER_VALUE } from '@bugle/contract/vocabulary'
import { type Counts, counterName, isFull, isOpenValue } from '../../issues/counts/counters.ts'
import type { CounterKey } from '../../issues/issue-tables.ts'
import { prepared, type Transaction } from '../driver/connection.ts'

/** Cached counters. When the cache is full it is cleared, because lookups are cheap. */
const MAX_REMEMBERED = 50_000

/** Adds rows, sent as JSON, to the counts of the project and the generation in `from`. */
export function addCountsText(from: string, rows: string): string {
  return `INSERT INTO added_counts (project, generation, lane, dimension, value, count)
    SELECT h.project, h.generation, c.lane, c.dimension, c.value, c.count
    FROM ${from} h CROSS JOIN LATERAL json_populate_recordset(NULL::counters, ${rows}) c
    ON CONFLICT (project, generation, lane, dimension, value) DO UPDATE SET count = added_counts.count + excluded.count`
}

const ADD = prepared(
  'add_counts',
  addCountsText('(SELECT $1::integer AS project, $2::integer AS generation)', '$3'),
)
/** Moves the counts of a generation to the counters. */
export const MERGE_COUNTS = prepared(
  'merge_counts',
  `WITH ended AS (DELETE FROM added_counts WHERE project = $1 AND generation = $2 RETURNING *)
   INSERT INTO counters (project, lane, dimension, value, count)
   SELECT project, lane, dimension, value, count FROM ended
   ON CONFLICT (project, lane, dimension, value) DO UPDATE SET count = counters.count + excluded.count`,
)
const SELECT_KNOWN = prepared(
  'known_counters',
  `SELECT c.lane, c.dimension, c.value FROM json_populate_recordset(NULL::counters, $2) k
   CROSS JOIN LATERAL (SELECT * FROM current_counters WHERE project = $1 AND lane = k.lane AND dimension = k.dimension
     AND value = k.value LIMIT 1) c`,
)
const COUNT_VALUES = prepared(
  'count_values',
  `SELECT k.lane, k.dimension, c.count
   FROM (SELECT DISTINCT lane, dimension FROM json_populate_recordset(NULL::counters, $2)) k
   CROSS JOIN LATERAL (SELECT count(*) AS count FROM current_counters
     WHERE project = $1 AND lane = k.lane AND dimension = k.dimension) c`,
)

/** A generation of a project: see `project-heads.ts`. */
export interface Generation {
  readonly seq: number
  readonly generation: number
}

export interface CounterWrites {
  /** The rows to add, if all of these counters exist. */
  knownRows(counts: Counts): readonly AddedCount[] | undefined
  write(tx: Transaction, to: Generation, counts: Counts): Promise<void>
}

/** Adds to counters. A value that was counted by name always is, and the same holds for `other`, so both can be cached. */
export function createCounterWrites(): CounterWrites {
  const remembered = new Map<string, string>()

  function remember(key: CounterKey, name: string): void {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(counterName(key), name)
  }

  /** The names under which values are counted that this process has not counted before. */
  async function findNames(
    tx: Transaction,
    projectSeq: number,
    keys: readonly CounterKey[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = JSON.stringify(keys)
    const [known, dimensions] = await Promise.all([
      tx.run<CounterRow>(SELECT_KNOWN(projectSeq, rows)),
      tx.run<DimensionRow>(COUNT_VALUES(projectSeq, rows)),
    ])
    for (const row of known) remember({ projectSeq, ...row }, row.value)
    const stored = new Map(dimensions.map((row) => [dimensionName(row), row.count]))
    const counted = new Map(stored)
    const names = new Map<string, string>()
    for (const key of keys) {
      if (remembered.has(counterName(key))) continue
      // A dimension that is full stays full.
      if (isFull(stored.get(dimensionName(key)) ?? 0)) remember(key, OTHER_VALUE)
      const values = counted.get(dimensionName(key)) ?? 0
      names.set(counterName(key), isFull(values) ? OTHER_VALUE : key.value)
      // New counters are not cached before the commit.
      counted.set(dimensionName(key), values + 1)
    }
    return names
  }

  function isUnknown(key: CounterKey): boolean {
    return isOpenValue(key) && !remembered.has(counterName(key))
  }

  function toRows(counts: Counts, names: ReadonlyMap<string, string>): readonly AddedCount[] {
    const rows: AddedCount[] = []
    const others = new Map<string, AddedCount & { count: number }>()
    for (const [key, by] of counts) {
      const { lane, dimension } = key
      const value = isOpenValue(key) ? nameFor(key, names) : key.value
      if (value !== OTHER_VALUE) {
        rows.push({ lane, dimension, value, count: by })
        continue
      }
      const other = others.get(dimensionName(key))
      if (other === undefined) others.set(dimensionName(key), { lane, dimension, value, count: by })
      else other.count += by
    }
    return others.size === 0 ? rows : [...rows, ...others.values()]
  }

  /** The name under which an open value is counted: its own, or `other`. */
  function nameFor(key: CounterKey, names: ReadonlyMap<string, string>): string {
    const name = counterName(key)
    return remembered.get(name) ?? names.get(name) ?? key.value
  }

  return {
    knownRows(counts) {
      for (const [key] of counts) if (isUnknown(key)) return undefined
      return toRows(counts, remembered)
    },
    async write(tx, { seq, generation }, counts) {
      const unknown = Array.from(counts, ([key]) => key).filter(isUnknown)
      const names = unknown.length > 0 ? await findNames(tx, seq, unknown) : remembered
      const rows = toRows(counts, names)
      if (rows.length > 0) tx.send(ADD(seq, generation, JSON.stringify(rows)))
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

export interface AddedCount extends CounterRow {
  readonly count: number
}

interface DimensionRow {
  readonly lane: number
  readonly dimension: string
  readonly count: number
}
