import { guard } from './guard.ts'
import type { InitOptions, Report, ReportResult } from './types.ts'

/** Every way in which a report can be lost. */
export type DropReason =
  | 'not-initialised'
  | 'invalid'
  | 'disabled'
  | 'sdk-outdated'
  | 'sampled'
  | 'ignored'
  | 'repeated'
  | 'rate-limited'
  | 'before-send'
  | 'overflow'
  | 'expired'
  | 'refused'
  | 'unreadable'
  | 'internal'

/** A report that was `trimmed` arrives, without what the server did not take. */
export type Loss = DropReason | 'trimmed'

type Metadata = Report['metadata']

const PREFIX = 'bugle.dropped.'

/** Counts losses until a new report takes them along. */
export interface Ledger {
  /** Who else wants to hear of drops. */
  onDrop: NonNullable<InitOptions['onDrop']>
  count(loss: Loss): void
  /** Gives a report up. */
  drop(reason: DropReason, id?: string): ReportResult
  /** Metadata with the counts: they belong to the report that is being captured from here on. */
  take(metadata?: Metadata): Metadata
  /** Puts back what a report carries that will not arrive after all. */
  putBack(metadata: Metadata): void
}

export function createLedger(): Ledger {
  let counts: Record<string, number> = {}

  function add(name: string, times: number): void {
    counts[name] = (counts[name] ?? 0) + times
  }

  const ledger: Ledger = {
    onDrop() {},
    count: (loss) => add(PREFIX + loss, 1),
    drop(reason, id) {
      ledger.count(reason)
      guard(ledger.onDrop, () => {})(reason, id)
      return { status: 'dropped', reason, id }
    },
    take(metadata) {
      const taken = { ...metadata, ...counts }
      counts = {}
      return Object.keys(taken).length > 0 ? taken : undefined
    },
    putBack(metadata = {}) {
      for (const [name, times] of Object.entries(metadata))
        if (name.startsWith(PREFIX)) add(name, Number(times))
    },
  }
  return ledger
}
