import type { Core } from './core.ts'
import { parseJson } from './requests.ts'
import type { Report, ReportResult } from './types.ts'

const COUNTS_ID = 'counts-'

/** A report captured here, and what became of it. */
export interface Entry {
  report: Report
  /** Absent as long as it waits. */
  result?: ReportResult
  isInFlight?: boolean
}

/** The reports that wait to be sent: those of this page or process, and those that earlier ones left. */
export interface Queue {
  /** What was captured here and still waits, the oldest first. */
  readonly own: ReadonlyMap<string, Entry>
  /** Resolves when the report is stored, or when it can not be: then it is kept in memory. */
  put(report: Report): Promise<void>
  /** The same, done when the call returns. */
  putNow(report: Report): void
  /** Takes a report out whose fate is known. */
  finish(report: Report, result: ReportResult): Promise<void>
  /** Everything, the oldest first. Only one sender at a time may ask: it takes over the counts that were left. */
  readAll(): Promise<readonly Report[]>
  /** Leaves the counts of losses to the next start. */
  leaveCounts(): void
}

export function createQueue({ store, platform, ledger }: Core): Queue {
  // Also kept in memory: a host may wipe its storage at logout, and a page that hides can not wait to read it.
  const own = new Map<string, Entry>()

  /** What the store has to keep of it. */
  function enter(report: Report): [id: string, text: string] {
    const { submissionId: id } = report
    own.set(id, Object.assign(own.get(id) ?? {}, { report }))
    return [id, JSON.stringify(report)]
  }

  return {
    own,
    put: (report) => store.put(...enter(report)),
    putNow: (report) => store.putNow(...enter(report)),
    finish({ submissionId: id }, result) {
      Object.assign(own.get(id) ?? {}, { result })
      own.delete(id)
      return store.remove(id)
    },
    async readAll() {
      const found = new Map<string, Report>()
      for (const [id, text] of await store.readAll()) {
        const value = parseJson(text) as Partial<Report> | undefined
        if (value?.submissionId) found.set(id, value as Report)
        else if (!value || id.startsWith(COUNTS_ID)) {
          await store.remove(id)
          if (value) ledger.putBack(value as Report['metadata'])
          else ledger.drop('unreadable')
        }
      }
      for (const [id, { report }] of own) found.set(id, report)
      return [...found.values()]
    },
    leaveCounts() {
      const counts = ledger.take()
      if (counts) store.putNow(COUNTS_ID + platform.random(), JSON.stringify(counts))
    },
  }
}
