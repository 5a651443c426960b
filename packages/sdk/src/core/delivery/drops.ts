import { guard } from '../guard.ts'
import type { Note } from '../notes.ts'
import type { DropReason, InitOptions, Report, ReportResult } from '../types.ts'

/** A `trimmed` report arrives without the parts that the server did not accept. */
export type Loss = DropReason | 'trimmed'

type Counts = Readonly<Record<string, number>>

const PREFIX = 'bugle.dropped.'

/** The metadata fields that count losses. */
export function countsIn(metadata: Report['metadata']): Counts {
  const counts: Record<string, number> = {}
  for (const name in metadata) if (name.startsWith(PREFIX)) counts[name] = +(metadata[name] as number) || 0
  return counts
}

/** Counts losses until a report with the counts has arrived. */
export interface Ledger {
  /** Also called for each drop. */
  onDrop: NonNullable<InitOptions['onDrop']>
  /** Sets where the counts are stored; earlier counts are added to it. */
  keepIn(note: Note<Counts>): void
  count(loss: Loss): void
  /** Drops a report. */
  drop(reason: DropReason, id?: string): ReportResult
  /** Adds the counts to the report that is being captured. */
  take(): Counts
  /** Restores the counts of a report that was dropped. */
  putBack(metadata: Report['metadata']): void
}

export function createLedger(): Ledger {
  let counts: Counts = {}
  let note: Note<Counts> = {
    read: () => counts,
    write(value = {}) {
      counts = value
    },
  }

  const ledger: Ledger = {
    onDrop() {},
    keepIn(other) {
      const before = ledger.take()
      note = other
      ledger.putBack(before)
    },
    count: (loss) => ledger.putBack({ [PREFIX + loss]: 1 }),
    drop(reason, id) {
      ledger.count(reason)
      guard(ledger.onDrop)(reason, id)
      return { status: 'dropped', reason, id }
    },
    take() {
      const taken = countsIn(note.read())
      if (Object.keys(taken)[0]) note.write(undefined)
      return taken
    },
    putBack(metadata) {
      const sums: Record<string, number> = countsIn(note.read())
      const added = countsIn(metadata)
      for (const name in added) {
        sums[name] = (sums[name] ?? 0) + (added[name] as number)
        note.write(sums)
      }
    },
  }
  return ledger
}
