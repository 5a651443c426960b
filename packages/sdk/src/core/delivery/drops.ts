import { guard } from '../guard.ts'
import type { Note } from '../notes.ts'
import type { DropReason, InitOptions, Report, ReportResult } from '../types.ts'

/** A `trimmed` report arrives without the parts that the server did not accept, and a `file` is lost without its report. */
export type Loss = DropReason | 'trimmed' | 'file'

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
  _onDrop: NonNullable<InitOptions['onDrop']>
  /** Sets where the counts are stored; earlier counts are added to it. */
  _keepIn(note: Note<Counts>): void
  _count(loss: Loss): void
  /** Drops a report. */
  _drop(reason: DropReason, id?: string): ReportResult
  /** Adds the counts to the report that is being captured. */
  _take(): Counts
  /** Restores the counts of a report that was dropped. */
  _putBack(metadata: Report['metadata']): void
}

export function createLedger(): Ledger {
  let counts: Counts = {}
  let note: Note<Counts> = {
    _read: () => counts,
    _write(value = {}) {
      counts = value
    },
  }

  const ledger: Ledger = {
    _onDrop() {},
    _keepIn(other) {
      const before = ledger._take()
      note = other
      ledger._putBack(before)
    },
    _count: (loss) => ledger._putBack({ [PREFIX + loss]: 1 }),
    _drop(reason, id) {
      ledger._count(reason)
      guard(ledger._onDrop)(reason, id)
      return { status: 'dropped', reason, id }
    },
    _take() {
      const taken = countsIn(note._read())
      if (Object.keys(taken)[0]) note._write(undefined)
      return taken
    },
    _putBack(metadata) {
      const sums: Record<string, number> = countsIn(note._read())
      const added = countsIn(metadata)
      for (const name in added) {
        sums[name] = (sums[name] ?? 0) + (added[name] as number)
        note._write(sums)
      }
    },
  }
  return ledger
}
