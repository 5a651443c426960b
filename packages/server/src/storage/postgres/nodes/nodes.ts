import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Database, prepared, type Session } from '../driver/connection.ts'

/** A node without a heartbeat for this long no longer counts. Some heartbeats may be late. */
const SILENCE = "interval '5 seconds'"
/** After this time it is deleted. */
const OBLIVION = "interval '1 minute'"

const BEAT = prepared(
  'beat',
  `WITH gone AS (DELETE FROM nodes WHERE id IN (
       SELECT id FROM nodes WHERE id <> $1 AND seen_at < clock_timestamp() - ${OBLIVION} FOR UPDATE SKIP LOCKED)),
     own AS (INSERT INTO nodes (id, seen_at, name) VALUES ($1, clock_timestamp(), $2)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at)
   SELECT 1 + count(*) AS count FROM nodes WHERE id <> $1 AND seen_at > clock_timestamp() - ${SILENCE}`,
)
const WRITE_OWN = prepared(
  'write_own_node',
  `INSERT INTO nodes (id, seen_at, name) VALUES ($1, clock_timestamp(), $2)
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
)
/**
 * Briefly uses two megabytes of disk: PostgreSQL materialises the result of a function, in a temporary file
 * if it exceeds `work_mem`. Updating a row would always succeed, because there is space in its page and in
 * the log.
 */
const TAKE_SPACE = {
  text: `SELECT count(*) FROM unnest(array_fill(repeat('x', 8192), ARRAY[256]))`,
  values: [],
}
const READ_CLOCK = prepared(
  'read_clock',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
)
const LEAVE = prepared('leave', 'DELETE FROM nodes WHERE id = $1')

/** The names of the servers that are running on a database, also on one of an earlier release, whose nodes may have other columns. */
export async function listLiveNodes(session: Session): Promise<readonly string[]> {
  const [table] = await session.run<{ exists: boolean }>({
    text: "SELECT to_regclass('nodes') IS NOT NULL AS exists",
    values: [],
  })
  if (table?.exists !== true) return []
  const rows = await session.run<{ name: string }>({
    text: `SELECT coalesce(to_jsonb(n) ->> 'name', n.id::text) AS name FROM nodes n
      WHERE seen_at > clock_timestamp() - ${SILENCE} ORDER BY 1`,
    values: [],
  })
  return rows.map(({ name }) => name)
}

/** One server among those that share a database. */
export interface Node {
  /** Writes a heartbeat, and returns the number of live nodes. */
  beat(): Promise<number>
  /** Fails unless a report could be stored now: not on a replica, not on a full disk, not while the database is unavailable. */
  probe(): Promise<void>
  /** The time of the database. */
  readClock(): Promise<number>
  /** Removes this node from the count immediately. */
  leave(): Promise<void>
}

/** Heartbeats in a table, not open connections: those of a machine that vanished may seem open for hours. */
export function createNode(database: Database): Node {
  const id = randomUUID()
  const name = `${hostname()} (process ${process.pid})`
  let isKnown = false
  return {
    async beat() {
      isKnown = true
      const [row] = await database.transaction((tx) => {
        // Losing the last heartbeats does no harm: others follow.
        tx.send({ text: 'SET LOCAL synchronous_commit = off', values: [] })
        return tx.run<{ count: number }>(BEAT(id, name))
      })
      return row?.count ?? 1
    },
    async probe() {
      isKnown = true
      await database.transaction(async (tx) => {
        tx.send({ text: "SET LOCAL work_mem = '64kB'", values: [] })
        // The error of the database itself, not of other disks.
        tx.send({ text: "SET LOCAL temp_tablespaces = ''", values: [] })
        tx.send(TAKE_SPACE)
        // Its own row, so that no node waits for another.
        tx.send(WRITE_OWN(id, name))
      })
    },
    async readClock() {
      const [row] = await database.run<{ now: number }>(READ_CLOCK())
      if (row === undefined) throw new Error('a query without a row')
      return row.now
    },
    async leave() {
      // If the database is unreachable, the missing heartbeat has the same effect.
      if (isKnown) await database.transaction((tx) => tx.run(LEAVE(id))).catch(() => {})
    },
  }
}
