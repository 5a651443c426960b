import type { StoredBackup } from '../../storage/ports/backups.ts'
import { durationText, type Finding, ok, problem, warning } from './findings.ts'

const CHECK = 'scheduled backups'

/** What the schedule of a running server knows. */
export interface KnownBackups {
  readonly place: string
  readonly everyMs: number
  readonly latest: StoredBackup | null
  /** Why the last attempt failed. */
  readonly fault: string | null
}

/** Whether the schedule is kept. */
export function checkBackups({ place, everyMs, latest, fault }: KnownBackups, now: number): Finding {
  const age = latest && `the newest is ${durationText(now - latest.at)} old`
  if (fault !== null)
    return problem(
      CHECK,
      `the last attempt failed (${fault}); ${age ?? 'there is none'}`,
      `check BUGLE_BACKUP_URL and the free space in ${place}; the server retries automatically`,
    )
  if (latest === null || age === null)
    return warning(CHECK, `there is none in ${place} yet`, 'the server makes one automatically')
  if (now - latest.at > 2 * everyMs)
    return problem(CHECK, age, 'a backup is overdue: look for warnings in the log of the server')
  return latest.isWhole
    ? ok(CHECK, `${age}, in ${place}`)
    : warning(
        CHECK,
        `${age}, and lacks files that are missing or damaged`,
        'run "bugle doctor" for what to do',
      )
}
