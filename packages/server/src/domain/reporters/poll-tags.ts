import type { ProjectId } from '../../model/ids.ts'
import type { MyReportListing, ReporterKey, ReporterNews } from '../../model/reports/my-reports.ts'
import type { Storage } from '../../storage/storage.ts'

/** Reporters whose tags are kept. Beyond it, those who have not polled for the longest time are forgotten. */
const MAX_TAGS = 50_000
/** Changes of a project that are kept. Beyond it, all of its tags are forgotten. */
const MAX_CHANGES = 20_000
const MAX_PROJECTS = 10_000
const MAX_UNREAD = 3

/**
 * The tags of the last responses to reporters: while nothing has happened that concerns them, polls are answered from
 * memory. What has happened is read from the log of the project, once for all of its reporters.
 */
export interface PollTags {
  /** The tag, if it is still valid. */
  find(reporter: ReporterKey): Promise<string | undefined>
  /** Where a response begins that is about to be read: what happens from now on makes its tag invalid. */
  begin(reporter: ReporterKey): Promise<Reading>
  close(): void
}

interface Reading {
  keep(tag: string, basis: PollBasis): void
}

/** What a response depends on. */
export type PollBasis = Pick<MyReportListing, 'issueNumbers' | 'unread'>

interface Known {
  readonly tag: string
  /** Everything up to here is in the response. */
  readonly position: number
  readonly basis: PollBasis
}

/** What has happened in a project, as far as it was read. */
interface Log {
  position: number
  /** Tags from before are invalid. */
  start: number
  /** Whether there may be more. */
  isBehind: boolean
  reading: Promise<void> | undefined
  /** The last change, by the number of an issue or the hash of a reporter's secret. */
  readonly changes: Map<number | string, number>
}

export function createPollTags(
  { events, myReports }: Pick<Storage, 'events' | 'myReports'>,
  maxTags = MAX_TAGS,
): PollTags {
  const tags = new Map<string, Known>()
  const logs = new Map<ProjectId, Log>()
  const close = events.subscribe((projectId) => {
    for (const log of projectId === null ? logs.values() : [logs.get(projectId)]) if (log) log.isBehind = true
  })

  function logOf(projectId: ProjectId): Log {
    const known = logs.get(projectId)
    if (known !== undefined) return known
    const log: Log = { position: -1, start: -1, isBehind: true, reading: undefined, changes: new Map() }
    logs.set(projectId, log)
    trim(logs, MAX_PROJECTS)
    return log
  }

  /** Reads what has happened until now. Polls at the same time share what they read. */
  async function catchUp(projectId: ProjectId): Promise<Log> {
    const log = logOf(projectId)
    // It may have begun before the latest event.
    await log.reading
    if (log.isBehind) log.reading ??= readOn(projectId, log)
    await log.reading
    return log
  }

  async function readOn(projectId: ProjectId, log: Log): Promise<void> {
    log.isBehind = false
    try {
      add(log, await myReports.readNews(projectId, log.position))
    } catch (error) {
      log.isBehind = true
      throw error
    } finally {
      log.reading = undefined
    }
  }

  return {
    async find(reporter) {
      const name = nameOf(reporter)
      const known = tags.get(name)
      if (known === undefined) return undefined
      const { start, changes } = await catchUp(reporter.projectId)
      const isUnchanged = (key: number | string) => (changes.get(key) ?? -1) <= known.position
      const { issueNumbers, unread } = known.basis
      const isValid =
        known.position >= start && isUnchanged(reporter.keyHash) && issueNumbers.every(isUnchanged)
      if (!isValid) return undefined
      // Marking replies as read is not in the log, but changes nothing for those who have read all of them.
      if (unread.length > 0 && !(await myReports.areSameMarks(unread))) return undefined
      tags.delete(name)
      tags.set(name, known)
      return known.tag
    },
    async begin(reporter) {
      const { position } = await catchUp(reporter.projectId)
      return {
        keep(tag, basis) {
          const name = nameOf(reporter)
          tags.delete(name)
          // Whether so many are still unread is not cheaper to find out than what they are.
          if (basis.unread.length > MAX_UNREAD) return
          tags.set(name, { tag, position, basis })
          trim(tags, maxTags)
        },
      }
    },
    close,
  }
}

function add(log: Log, { position, changes }: ReporterNews): void {
  log.position = position
  for (const change of changes ?? [])
    for (const key of change.keyHashes ?? [change.issueNumber]) log.changes.set(key, change.position)
  if (changes !== null && log.changes.size <= MAX_CHANGES) return
  log.changes.clear()
  log.start = position
}

/** Removes what was added first. */
function trim<K>(entries: Map<K, unknown>, limit: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) break
    entries.delete(oldest)
  }
}

function nameOf({ projectId, keyHash }: ReporterKey): string {
  return projectId + keyHash
}
