import type { DatabaseSize, Inspection } from '../../storage/inspection.ts'
import { many } from '../transfer-texts.ts'
import { durationText, type Finding, ok, problem, sizeText, warning } from './findings.ts'

const MIB = 2 ** 20
const LEAST_FREE_BYTES = 256 * MIB
const AMPLE_FREE_BYTES = 1_024 * MIB
/** SQLite begins its log anew at about 4 MiB, unless somebody reads for long. */
const LARGE_LOG_BYTES = 256 * MIB
/** What a search looks at itself in a moment. */
const MANY_UNINDEXED = 10_000
const CLOCK_TOLERANCE_MS = 60_000
const LEAD_TOLERANCE_MS = 5_000

const RESTORE =
  'stop the server, keep the files, and restore a backup that "bugle backup --check" finds whole'

const SEARCH = 'full-text index'
const REBUILD = 'build it anew, also while a server runs: "bugle doctor --rebuild-search"'

/** Whether this release can work with it. */
export function checkSchema({ schema: { found, known } }: Inspection): Finding {
  const check = 'schema'
  if (found === known) return ok(check, `version ${found}, of this release`)
  if (found > known)
    return problem(
      check,
      `version ${found}, of a newer release`,
      'run the release that last used it, or a newer one',
    )
  return warning(
    check,
    `version ${found}; this release has ${known}`,
    'back it up; the next start brings it up to date',
  )
}

export function checkSpace({ bytes, logBytes, freeBytes }: DatabaseSize): readonly Finding[] {
  const check = 'disk space'
  const size = `${sizeText(bytes)} of database`
  if (freeBytes === null) return [ok(check, `${size}; what is free, PostgreSQL does not tell`)]
  const found = `${size}, ${sizeText(freeBytes)} free`
  const log =
    logBytes !== null && logBytes > LARGE_LOG_BYTES
      ? [
          warning(
            'log',
            `${sizeText(logBytes)} wait to be moved into the database`,
            'end what has been reading for long',
          ),
        ]
      : []
  if (freeBytes < LEAST_FREE_BYTES)
    return [problem(check, found, 'make room now: when it is full, reports are turned away'), ...log]
  if (freeBytes < Math.max(AMPLE_FREE_BYTES, bytes))
    return [warning(check, found, 'make room: a backup on this disk would not fit, or hardly'), ...log]
  return [ok(check, found), ...log]
}

/** Reads everything, so it takes a while. */
export async function checkContents(inspection: Inspection): Promise<readonly Finding[]> {
  const damage = await inspection.listDamage()
  if (damage.length > 0) return [problem('integrity', damage.join('; '), RESTORE)]
  const searchDamage = await inspection.listSearchDamage()
  if (searchDamage.length > 0) return [problem(SEARCH, searchDamage.join('; '), REBUILD)]
  const { counts, faults } = await inspection.audit()
  const held = `${many(counts.issues, 'issue', 'issues')}, ${many(counts.events, 'event', 'events')}`
  return [
    ok('integrity', 'the database finds nothing wrong with itself'),
    faults.length > 0
      ? problem(
          'recount',
          faults.join('; '),
          'report it as a fault of Bugle, with these words; "bugle export" keeps what is there',
        )
      : ok('recount', `${held}; every counter is right`),
  ]
}

export async function checkIndexes(inspection: Inspection): Promise<readonly Finding[]> {
  const missing = (await inspection.listMissing()).filter((name) => !isOfSearch(name))
  return [
    missing.length > 0
      ? problem(
          'indexes',
          `missing: ${missing.join(', ')}`,
          'somebody has removed them: export everything, import it into a new database',
        )
      : ok('indexes', 'all there'),
    await checkSearch(inspection),
  ]
}

async function checkSearch(inspection: Inspection): Promise<Finding> {
  const missing = (await inspection.listMissing()).filter(isOfSearch)
  const fault = missing.length > 0 ? `missing: ${missing.join(', ')}` : await inspection.findSearchFault()
  if (fault !== null)
    return problem(SEARCH, `damaged (${fault}): searches work without it, in short pages`, REBUILD)
  const unindexed = await inspection.countUnindexed()
  const waiting = `${many(unindexed, 'issue waits', 'issues wait')} for it`
  if (unindexed > MANY_UNINDEXED)
    return warning(SEARCH, waiting, 'a running server catches up; searches are slow until then')
  return ok(SEARCH, unindexed === 0 ? 'up to date' : `${waiting}, as usual`)
}

/** The table that is searched, and what FTS5 keeps beside it. */
function isOfSearch(name: string): boolean {
  return /^search(_(data|idx|docsize|config))?$/.test(name)
}

export async function checkClock(inspection: Inspection, now: number): Promise<Finding> {
  const check = 'clock'
  const newest = await inspection.findNewestEventTime()
  const lead = await inspection.measureClockLead()
  if (newest !== null && newest > now + CLOCK_TOLERANCE_MS) {
    const found = `it has been set back: there are events of ${durationText(newest - now)} from now`
    return problem(check, found, 'set the clock of the machine, and keep it right with NTP')
  }
  if (Math.abs(lead) > LEAD_TOLERANCE_MS) {
    const found = `the database is ${durationText(Math.abs(lead))} ${lead > 0 ? 'ahead' : 'behind'}`
    return warning(check, found, 'keep both machines right with NTP')
  }
  return ok(check, newest === null ? 'nothing to hold it against' : 'no event is from the future')
}
