import type { Random } from '../../packages/server/src/demo/random.ts'

export interface Report {
  readonly submissionId: string
  readonly title: string
  readonly fingerprint?: string
}

/** What the server has acknowledged. */
export interface Receipt {
  readonly id: string
  readonly issueNumber: number
}

/** What was sent and what was acknowledged, for a client that resends unacknowledged reports. */
export interface Ledger {
  /** A report without a response, or a new one. */
  next(): Report
  acknowledge(report: Report, receipt: Receipt): void
  /** There was no response, or not an acknowledgement. */
  leaveOpen(report: Report): void
  countOpen(): number
  readonly sent: ReadonlySet<string>
  readonly receipts: ReadonlyMap<string, Receipt>
}

export function createLedger(random: Random): Ledger {
  const sent = new Set<string>()
  const receipts = new Map<string, Receipt>()
  const open: Report[] = []

  function make(): Report {
    const report = { ...contentFor(random), submissionId: `report-${sent.size + 1}` }
    sent.add(report.submissionId)
    return report
  }

  return {
    next: () => open.shift() ?? make(),
    acknowledge: (report, receipt) => void receipts.set(report.submissionId, receipt),
    leaveOpen: (report) => void open.push(report),
    countOpen: () => open.length,
    sent,
    receipts,
  }
}

/** One of every kind of report that is stored differently. */
function contentFor(random: Random) {
  const kind = random.pickWeighted({ plain: 6, repeated: 3, hidden: 1 })
  const title = `A ${kind} report`
  if (kind === 'repeated') return { title, fingerprint: `crash-${random.integer(1, 25)}` }
  if (kind === 'hidden') return { title, category: 'security', metadata: { screen: random.integer(1, 9) } }
  return { title, description: 'It happened again. '.repeat(random.integer(0, 40)), platform: 'ios' }
}
