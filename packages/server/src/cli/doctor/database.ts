import { sizeText } from '../../byte-sizes.ts'
import { LEAD_TOLERANCE_MS } from '../../domain/clock-watch.ts'
import type { OnCheck } from '../../storage/backups.ts'
import type { DatabaseSize, Inspection } from '../../storage/inspection.ts'
import { many } from '../data/transfer-texts.ts'
import { durationText, type Finding, ok, problem, warning } from './findings.ts'

const MIB = 2 ** 20
const LEAST_FREE_BYTES = 256 * MIB
const AMPLE_FREE_BYTES = 1_024 * MIB
/** SQLite restarts its log at about 4 MiB, unless a long read is in progress. */
const LARGE_LOG_BYTES = 256 * MIB
/** A search can examine this many issues itself without being slow. */
const MANY_UNINDEXED = 10_000
const CLOCK_TOLERANCE_MS = 60_000

const RESTORE = 'stop the server, keep the files, and restore a backup that passes "bugle backup --check"'

const SEARCH = 'full-text index'
const REBUILD = 'rebuild it, also while a server runs: "bugle doctor --rebuild-search"'

/** Whether this release can use it. */
export function checkSchema({ schema: { found, known, fault } }: Inspection): Finding {
  const check = 'schema'
  if (found === known) return ok(check, `version ${found}, as in this release`)
  if (found > known && fault === null)
    return ok(check, `version ${found}, from a newer release that is compatible with this one`)
  if (found > known)
    return problem(
      check,
      `version ${found}, from a newer release`,
      'run the release that last used it, or a newer one',
    )
  return warning(
    check,
    `version ${found}; this release has ${known}`,
    'the next start of the server migrates it, and so does "bugle migrate"',
  )
}

export function checkSpace({ bytes, logBytes, freeBytes }: DatabaseSize): readonly Finding[] {
  const check = 'disk space'
  // What is in the log is not in the file yet.
  const used = bytes + (logBytes ?? 0)
  const size = `${sizeText(used)} used`
  if (freeBytes === null) return [ok(check, `${size}; PostgreSQL does not report free space`)]
  const found = `${size}, ${sizeText(freeBytes)} free`
  const log =
    logBytes !== null && logBytes > LARGE_LOG_BYTES
      ? [
          warning(
            'log',
            `the write-ahead log is ${sizeText(logBytes)}`,
            'stop processes that have been reading for a long time',
          ),
        ]
      : []
  if (freeBytes < LEAST_FREE_BYTES)
    return [problem(check, found, 'free up space now: reports are refused when the disk is full'), ...log]
  if (freeBytes < Math.max(AMPLE_FREE_BYTES, used))
    return [warning(check, found, 'free up space: a backup on this disk might not fit'), ...log]
  return [ok(check, found), ...log]
}

/** Reads everything, so it takes a while. */
export async function checkContents(inspection: Inspection, onCheck: OnCheck): Promise<readonly Finding[]> {
  onCheck('integrity', 0, 1)
  const damage = await inspection.listDamage()
  onCheck('integrity', 1, 1)
  if (damage.length > 0) return [problem('integrity', damage.join('; '), RESTORE)]
  const searchDamage = await inspection.listSearchDamage()
  if (searchDamage.length > 0) return [problem(SEARCH, searchDamage.join('; '), REBUILD)]
  const { counts, faults } = await inspection.audit((...done) => onCheck('recount', ...done))
  const held = `${many(counts.issues, 'issue', 'issues')}, ${many(counts.events, 'event', 'events')}`
  return [
    ok('integrity', 'no damage found'),
    faults.length > 0
      ? problem(
          'recount',
          faults.join('; '),
          'report this as a bug in Bugle, with this text; "bugle export" saves the data',
        )
      : ok('recount', `${held}; all counters are correct`),
  ]
}

export async function checkIndexes(inspection: Inspection): Promise<readonly Finding[]> {
  const missing = (await inspection.listMissing()).filter((name) => !isOfSearch(name))
  return [
    missing.length > 0
      ? problem(
          'indexes',
          `missing: ${missing.join(', ')}`,
          'export everything and import it into a new database',
        )
      : ok('indexes', 'complete'),
    await checkSearch(inspection),
  ]
}

async function checkSearch(inspection: Inspection): Promise<Finding> {
  const missing = (await inspection.listMissing()).filter(isOfSearch)
  const fault = missing.length > 0 ? `missing: ${missing.join(', ')}` : await inspection.findSearchFault()
  if (fault !== null)
    return problem(SEARCH, `damaged (${fault}): searches work without it, but with short pages`, REBUILD)
  const unindexed = await inspection.countUnindexed()
  const waiting = `${many(unindexed, 'issue is', 'issues are')} not indexed yet`
  if (unindexed > MANY_UNINDEXED)
    return warning(SEARCH, waiting, 'a running server catches up; searches are slower until then')
  return ok(SEARCH, unindexed === 0 ? 'up to date' : `${waiting}, which is normal`)
}

/** The search table, and the tables that FTS5 keeps for it. */
function isOfSearch(name: string): boolean {
  return /^search(_(data|idx|docsize|config))?$/.test(name)
}

export async function checkClock(inspection: Inspection, now: number): Promise<Finding> {
  const check = 'clock'
  const newest = await inspection.findNewestEventTime()
  const lead = await inspection.measureClockLead()
  if (newest !== null && newest > now + CLOCK_TOLERANCE_MS) {
    const found = `it was set back: the newest event is ${durationText(newest - now)} in the future`
    return problem(check, found, 'set the clock of this machine, and keep it synchronised with NTP')
  }
  if (Math.abs(lead) > LEAD_TOLERANCE_MS) {
    const found = `the clock of the database is ${durationText(Math.abs(lead))} ${lead > 0 ? 'ahead' : 'behind'}`
    return warning(check, found, 'keep both machines synchronised with NTP')
  }
  return ok(check, newest === null ? 'no events to compare it with' : 'no events are in the future')
}
