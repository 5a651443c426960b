import { CONFIG_ID } from '../config/remote-config.ts'
import type { Core } from '../core.ts'
import type { RemoteConfig, Report, ReportResult } from '../types.ts'
import { parseJson } from './requests.ts'

/** The limits of the queue, small enough for every kind of storage. */
const MAX_WAITING = 200
const MAX_WAITING_BYTES = 2_000_000

/** A report captured here, and its result. */
export interface Entry {
  _report: Report
  /** The names of fields that were cut or removed, either here or because the server did not accept them. */
  readonly _trimmed: string[]
  /** Absent while the report is queued. */
  _result?: ReportResult
  _isInFlight?: boolean
}

/** The queued reports: those of this page or process, and those left by earlier ones. */
export interface Queue {
  /** Reports captured here that are still queued, oldest first. */
  readonly _own: ReadonlyMap<string, Entry>
  /** Keys of earlier starts that the server no longer accepts. */
  readonly _refusedKeys: Set<string>
  /** Adds a report. If the platform allows it, it is stored when the call returns; otherwise it is kept in memory. */
  _add(report: Report, trimmed: string[]): { readonly _entry: Entry; readonly _stored: Promise<void> }
  /** Replaces a queued report. */
  _update(report: Report): Promise<void>
  /** Removes a report whose result is known. */
  _finish(report: Report, result: ReportResult): Promise<void>
  /** All reports that this client may send, oldest first. */
  _readAll(): Promise<readonly Report[]>
}

export function createQueue({ _store: store, _ledger: ledger, _options: { publicKey } }: Core): Queue {
  // Also kept in memory: an app may clear its storage at logout, and a page being hidden cannot wait to read it.
  const own = new Map<string, Entry>()
  const refusedKeys = new Set<string>()

  function put(report: Report): Promise<void> {
    return store._put(report.submissionId, JSON.stringify(report))
  }

  /**
   * The store is shared by all projects on the server. A report with an earlier key is sent with the current key if
   * both belong to the same project. If that is not known, it is sent with its own key, and with the current key once
   * the server refuses its own.
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
    _own: own,
    _refusedKeys: refusedKeys,
    _add(report, trimmed) {
      const entry: Entry = { _report: report, _trimmed: trimmed }
      own.set(report.submissionId, entry)
      return { _entry: entry, _stored: put(report) }
    },
    _update(report) {
      Object.assign(Object(own.get(report.submissionId)), { _report: report })
      return put(report)
    },
    _finish({ submissionId: id }, result) {
      Object.assign(Object(own.get(id)), { _result: result })
      own.delete(id)
      return store._remove(id)
    },
    async _readAll() {
      const found = new Map<string, Report>()
      const projects = new Map<string, string | undefined>()
      for (const [id, text] of await store._readAll()) {
        const value = parseJson(text) as (Report & { body?: RemoteConfig }) | undefined
        if (!value) {
          await store._remove(id)
          ledger._drop('unreadable')
        } else if (value.submissionId) found.set(id, value)
        else projects.set(id, value.body?.project?.id)
      }
      for (const [id, { _report: report }] of own) found.set(id, report)
      return [...found.values()].flatMap((report) => claim(report, projects))
    },
  }
}

/** The reports to drop so that the others fit: crash reports before others, and the oldest first. */
export function overflowOf(reports: readonly Report[]): readonly Report[] {
  let bytes = 0
  return [...reports]
    .sort((a, b) => +!a.exception - +!b.exception)
    .reverse()
    .filter((report, index) => {
      bytes += bytesOf(JSON.stringify(report))
      return index >= MAX_WAITING || bytes > MAX_WAITING_BYTES
    })
}

/** An upper bound for the length in UTF-8. */
export function bytesOf(text: string): number {
  return text.replace(/[^\0-\x7f]/g, '...').length
}
