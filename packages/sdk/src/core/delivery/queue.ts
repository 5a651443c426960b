import type { Core } from '../core.ts'
import { CONFIG_ID } from '../remote-config.ts'
import type { RemoteConfig, Report, ReportResult } from '../types.ts'
import { parseJson } from './requests.ts'

/** What may wait for a server: room that every storage has. */
const MAX_WAITING = 200
const MAX_WAITING_BYTES = 2_000_000

/** A report captured here, and what became of it. */
export interface Entry {
  report: Report
  /** The names of what was cut or removed, here or because the server did not accept it. */
  readonly trimmed: string[]
  /** Absent as long as it waits. */
  result?: ReportResult
  isInFlight?: boolean
}

/** The reports that wait to be sent: those of this page or process, and those that earlier ones left. */
export interface Queue {
  /** What was captured here and still waits, the oldest first. */
  readonly own: ReadonlyMap<string, Entry>
  /** Keys of earlier starts that the server no longer accepts. */
  readonly refusedKeys: Set<string>
  /** Adds a report. It is stored when the call returns, where the platform can; where nothing can, it is kept in memory. */
  add(report: Report, trimmed: string[]): { readonly entry: Entry; readonly stored: Promise<void> }
  /** Replaces a report that waits. */
  update(report: Report): Promise<void>
  /** Takes a report out whose fate is known. */
  finish(report: Report, result: ReportResult): Promise<void>
  /** Everything that this client may send, the oldest first. */
  readAll(): Promise<readonly Report[]>
}

export function createQueue({ store, ledger, options: { publicKey } }: Core): Queue {
  // Also kept in memory: a host may wipe its storage at logout, and a page that hides cannot wait to read it.
  const own = new Map<string, Entry>()
  const refusedKeys = new Set<string>()

  function put(report: Report): Promise<void> {
    return store.put(report.submissionId, JSON.stringify(report))
  }

  /**
   * The store is for all projects of the server. A report of an earlier key goes out with ours if both keys are of one
   * project. Where the store does not know that, it goes out with its own, and with ours once the server refuses that.
   */
  function claim(report: Report, projects: ReadonlyMap<string, string | undefined>): readonly Report[] {
    const { publicKey: key } = report
    const ours = projects.get(CONFIG_ID + publicKey)
    const theirs = projects.get(CONFIG_ID + key)
    const isRefused = refusedKeys.has(key)
    if (key === publicKey || (theirs ? theirs === ours : isRefused)) return [{ ...report, publicKey }]
    return isRefused || (theirs && ours) ? [] : [report]
  }

  return {
    own,
    refusedKeys,
    add(report, trimmed) {
      const entry: Entry = { report, trimmed }
      own.set(report.submissionId, entry)
      return { entry, stored: put(report) }
    },
    update(report) {
      Object.assign(own.get(report.submissionId) ?? {}, { report })
      return put(report)
    },
    finish({ submissionId: id }, result) {
      Object.assign(own.get(id) ?? {}, { result })
      own.delete(id)
      return store.remove(id)
    },
    async readAll() {
      const found = new Map<string, Report>()
      const projects = new Map<string, string | undefined>()
      for (const [id, text] of await store.readAll()) {
        const value = parseJson(text) as (Report & { body?: RemoteConfig }) | undefined
        if (!value) {
          await store.remove(id)
          ledger.drop('unreadable')
        } else if (value.submissionId) found.set(id, value)
        else projects.set(id, value.body?.project?.id)
      }
      for (const [id, { report }] of own) found.set(id, report)
      return [...found.values()].flatMap((report) => claim(report, projects))
    },
  }
}

/** The reports to give up so that the others fit: crash reports first, and the oldest of them first. */
export function overflowOf(reports: readonly Report[]): readonly Report[] {
  let bytes = 0
  return [...reports]
    .sort((a, b) => +!a.fingerprint - +!b.fingerprint)
    .reverse()
    .filter((report, index) => {
      bytes += bytesOf(JSON.stringify(report))
      return index >= MAX_WAITING || bytes > MAX_WAITING_BYTES
    })
}

/** At least as many as UTF-8 needs. */
export function bytesOf(text: string): number {
  return text.replace(/[^\0-\x7f]/g, '...').length
}
