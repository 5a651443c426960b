import { guard } from '../guard.ts'
import type { Note } from '../notes.ts'
import type { DropReason, InitOptions, Report, ReportResult } from '../types.ts'

/** A report that was `trimmed` arrives, without what the server did not take. */
export type Loss = DropReason | 'trimmed'

type Counts = Readonly<Record<string, number>>

const PREFIX = 'bugle.dropped.'

/** The members of the metadata that count losses. */
export function countsIn(metadata: Report['metadata']): Counts {
  const counts: Record<string, number> = {}
  for (const name in metadata) if (name.startsWith(PREFIX)) counts[name] = Number(metadata[name]) || 0
  return counts
}

/** Counts losses until a report that carries the counts has opened an issue: no other keeps its metadata. */
export interface Ledger {
  /** Who else wants to hear of drops. */
  onDrop: NonNullable<InitOptions['onDrop']>
  /** Where the counts are kept from now on; those so far are added to it. */
  keepIn(note: Note<Counts>): void
  count(loss: Loss): void
  /** Gives a report up. */
  drop(reason: DropReason, id?: string): ReportResult
  /** Hands the counts to the report that is being captured. */
  take(): Counts
  /** Takes back what a report carries that opened no issue. */
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
      guard(ledger.onDrop, () => {})(reason, id)
      return { status: 'dropped', reason, id }
    },
    take() {
      const taken = countsIn(note.read())
      if (Object.keys(taken)[0]) note.write(undefined)
      return taken
    },
    putBack(metadata) {
      const sums: Record<string, number> = { ...countsIn(note.read()) }
      const added = countsIn(metadata)
      for (const name in added) {
        sums[name] = (sums[name] ?? 0) + (added[name] ?? 0)
        note.write(sums)
      }
    },
  }
  return ledger
}
