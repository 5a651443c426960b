import { randomUUID } from 'node:crypto'
import { type Database, prepared } from '../driver/connection.ts'

/** A node that was not heard of for this long no longer counts. Some of its beats may come late. */
const SILENCE = "interval '5 seconds'"
/** After this long it is forgotten. */
const OBLIVION = "interval '1 minute'"

const BEAT = prepared(
  'beat',
  `WITH gone AS (DELETE FROM nodes WHERE id IN (
       SELECT id FROM nodes WHERE id <> $1 AND seen_at < clock_timestamp() - ${OBLIVION} FOR UPDATE SKIP LOCKED)),
     own AS (INSERT INTO nodes (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at)
   SELECT 1 + count(*) AS count FROM nodes WHERE id <> $1 AND seen_at > clock_timestamp() - ${SILENCE}`,
)
const WRITE_OWN = prepared(
  'write_own_node',
  `INSERT INTO nodes (id, seen_at) VALUES ($1, clock_timestamp())
   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
)
/**
 * Takes two megabytes of disk for a moment: PostgreSQL materialises what a function returns, in a temporary file if it is
 * more than `work_mem`. To update a row there is always room, in its page and in the log.
 */
const TAKE_SPACE = {
  text: `SELECT count(*) FROM unnest(array_fill(repeat('x', 8192), ARRAY[256]))`,
  values: [],
}
const LEAVE = prepared('leave', 'DELETE FROM nodes WHERE id = $1')

/** One server among those that share a database. */
export interface Node {
  /** Tells the others that this one is at work, and answers how many are. */
  beat(): Promise<number>
  /** Fails unless a report could be stored now: not on a replica, not on a full disk, not while the database is away. */
  probe(): Promise<void>
  /** Stops counting at once. */
  leave(): Promise<void>
}

/** Heartbeats in a table, not open connections: those of a machine that vanished may seem open for hours. */
export function createNode(database: Database): Node {
  const id = randomUUID()
  let isKnown = false
  return {
    async beat() {
      isKnown = true
      const [row] = await database.transaction((tx) => {
        // Nothing is lost if the last beats are: others follow.
        tx.send({ text: 'SET LOCAL synchronous_commit = off', values: [] })
        return tx.run<{ count: number }>(BEAT(id))
      })
      return row?.count ?? 1
    },
    async probe() {
      isKnown = true
      await database.transaction(async (tx) => {
        tx.send({ text: "SET LOCAL work_mem = '64kB'", values: [] })
        // Of the database itself, not of other disks.
        tx.send({ text: "SET LOCAL temp_tablespaces = ''", values: [] })
        tx.send(TAKE_SPACE)
        // A row of its own: no node waits for another.
        tx.send(WRITE_OWN(id))
      })
    },
    async leave() {
      // Should the database be away, silence says the same.
      if (isKnown) await database.transaction((tx) => tx.run(LEAVE(id))).catch(() => {})
    },
  }
}
