import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import type { SeenDimension, SeenKey } from '../../../model/seen-values.ts'
import { createKnownValues } from '../../issues/counts/known-values.ts'
import type { CounterKey } from '../../issues/issue-tables.ts'
import { foldSources } from '../../issues/seen/report-sources.ts'
import type { SeenChange, SeenChanges, SeenPlace } from '../../issues/seen/seen-changes.ts'
import { foldSeen, reduceSeen } from '../../issues/seen/seen-writes.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { runInTransaction } from '../driver/operations.ts'
import type { Changes } from './changes.ts'
import type { Generation } from './counters.ts'

const KEY = 'lane, dimension, value, build_number'
const COUNTED = 'reports, new_issues, fixed_issues, regressions, first_at, last_at'
/** What is done with a value that the table already has. */
const addTo = (table: string) => `DO UPDATE SET reports = ${table}.reports + excluded.reports,
      new_issues = ${table}.new_issues + excluded.new_issues,
      fixed_issues = ${table}.fixed_issues + excluded.fixed_issues,
      regressions = ${table}.regressions + excluded.regressions,
      first_at = least(${table}.first_at, excluded.first_at), last_at = greatest(${table}.last_at, excluded.last_at)`

/** Adds the rows that a query selects, of which each has its own key, to a generation. */
function addSeenText(query: string): string {
  return `INSERT INTO added_seen_values (project, generation, ${KEY}, ${COUNTED})
    ${query}
    ON CONFLICT (project, generation, ${KEY}) ${addTo('added_seen_values')}`
}

const ADD = prepared(
  'add_seen_values',
  addSeenText(`SELECT $1::integer, $2::integer, lane, dimension, value, coalesce(build_number, ''), reports, coalesce(new_issues, 0),
      coalesce(fixed_issues, 0), coalesce(regressions, 0), first_at, last_at
    FROM json_populate_recordset(NULL::added_seen_values, $3)`),
)
/** Moves the values of a generation to those that can be folded and reduced. */
export const MERGE_SEEN = prepared(
  'merge_seen_values',
  `WITH ended AS (DELETE FROM added_seen_values WHERE project = $1 AND generation = $2 RETURNING *)
   INSERT INTO seen_values (project, ${KEY}, ${COUNTED}, includes_rest)
   SELECT project, ${KEY}, ${COUNTED}, 0 FROM ended
   ON CONFLICT (project, ${KEY}) ${addTo('seen_values')}`,
)

// An entry may be in both tables.
const COUNT_AT_MOST = prepared(
  'count_seen_values',
  `SELECT greatest(count(DISTINCT value), count(CASE WHEN build_number <> '' THEN 1 END)) AS count FROM (
     SELECT value, build_number FROM seen_values WHERE project = $1 AND lane = $3 AND dimension = $4
     UNION ALL SELECT value, build_number FROM added_seen_values
       WHERE project = $1 AND generation = $2 AND lane = $3 AND dimension = $4) v`,
)

/** Adds what new issues name: the same as {@link seenInIssue}, without sending it a second time. */
export function addSeenInIssuesText(issues: string): string {
  return addSeenText(`SELECT i.project, i.generation, i.lane, s.dimension, s.value, s.build_number, count(*), count(*), 0, 0,
      min(i.created_at), max(i.created_at)
    FROM ${issues} i CROSS JOIN LATERAL (VALUES ('version', i.app_version, coalesce(i.build_number, '')), ('branch', i.branch, ''))
      AS s (dimension, value, build_number)
    WHERE s.value <> '' GROUP BY i.project, i.generation, i.lane, s.dimension, s.value, s.build_number`)
}

export interface SeenWrites {
  /** Whether all of these values exist, and are only added to. */
  areKnown(changes: SeenChanges): boolean
  write(tx: Transaction, to: Generation, changes: Changes): Promise<void>
}

/** A row to add, without the project. */
interface AddedSeen {
  readonly lane: number
  readonly dimension: SeenDimension
  readonly value: string
  /** Absent: empty. */
  readonly build_number: string | undefined
  readonly reports: number
  /** Absent: zero. What is not sent need not be parsed. */
  readonly new_issues: number | undefined
  readonly fixed_issues: number | undefined
  readonly regressions: number | undefined
  readonly first_at: number
  readonly last_at: number
}

/** Adds to versions, builds and branches. */
export function createSeenWrites(): SeenWrites {
  // If another process has folded a known value, adding to it creates it again, and the next new value causes one more to be folded.
  const known = createKnownValues()

  return {
    areKnown(changes) {
      for (const change of changes) if (change.isReduced || !known.has(knownKey(change))) return false
      return true
    },
    async write(tx, { seq: project, generation }, { seen, checkedSources }) {
      const changes = [...seen]
      const added = changes.filter(({ isReduced }) => !isReduced)
      const reduced = changes.filter(({ isReduced }) => isReduced)
      if (added.length > 0) tx.send(ADD(project, generation, JSON.stringify(added.map(toRow))))
      const unknown = changes.filter((change) => change.isReduced || !known.has(knownKey(change)))
      for (const change of unknown) known.add(knownKey(change))
      const full = await findFull(tx, { project, generation }, unknown)
      if (full.length + reduced.length + checkedSources.length > 0) tx.send(MERGE_SEEN(project, generation))
      if (reduced.length > 0) await runInTransaction(tx, reduceSeen(project, reduced))
      for (const place of full) {
        const folded = await runInTransaction(tx, foldSeen(place))
        for (const key of folded) known.delete(knownKey({ ...place, ...key, projectSeq: project }))
      }
      for (const issueNumber of checkedSources)
        await runInTransaction(tx, foldSources({ project, issueNumber }))
    },
  }
}

/** The places of changes that may have more values than are kept by name. */
async function findFull(
  tx: Transaction,
  { project, generation }: { readonly project: number; readonly generation: number },
  changes: readonly SeenChange[],
): Promise<readonly SeenPlace[]> {
  const places = new Map(
    changes.map(({ lane, dimension }) => [`${lane} ${dimension}`, { project, lane, dimension }]),
  )
  const counted = Array.from(places.values(), async (place) => {
    const [row] = await tx.run<{ count: number }>(
      COUNT_AT_MOST(project, generation, place.lane, place.dimension),
    )
    return { place, isFull: (row?.count ?? 0) > MAX_COUNTED_VALUES }
  })
  return (await Promise.all(counted)).filter(({ isFull }) => isFull).map(({ place }) => place)
}

/** Two keys may become the same, which means only that the limit is checked later. */
function knownKey<K extends SeenKey & CounterKey>(key: K): CounterKey {
  const { projectSeq, lane, dimension, value, buildNumber } = key
  return buildNumber === '' ? key : { projectSeq, lane, dimension, value: `${value} ${buildNumber}` }
}

function toRow(change: SeenChange): AddedSeen {
  const {
    lane,
    dimension,
    value,
    buildNumber,
    reports,
    newIssues,
    fixedIssues,
    regressions,
    firstAt,
    lastAt,
  } = change
  return {
    lane,
    dimension,
    value,
    build_number: buildNumber || undefined,
    reports,
    new_issues: newIssues || undefined,
    fixed_issues: fixedIssues || undefined,
    regressions: regressions || undefined,
    first_at: firstAt,
    last_at: lastAt,
  }
}
