import type { Fields } from '../../src/model/sentry/values.ts'
import type { Item } from '../sentry-stage.ts'

/**
 * What an SDK of Sentry sends, cut to what matters. Sections are those of Sentry's developer documentation (develop.sentry.dev/sdk), written as
 * "Page, Section".
 */
export interface SentryPlatform {
  /** What the event shows, and where it is described. */
  readonly section: string
  readonly event: Fields
  /** Fields of the report. */
  readonly expected: object
  /** Of what was thrown; empty if nothing was. */
  readonly stack: string
  /** Items that follow the event in its envelope. */
  readonly beside: readonly Item[]
  /** The names of the files among them. */
  readonly files: readonly string[]
  /** How the ledger counts the others. */
  readonly skipped: Counts
  /** An envelope of its own, of which nothing is kept. */
  readonly notKept: { readonly section: string; readonly items: readonly Item[]; readonly skipped: Counts }
  /** The event with attributes that its section does not allow, and what is kept of it all the same. */
  readonly malformed: Readonly<Record<string, { readonly event: Fields; readonly expected: object }>>
}

export type Counts = Readonly<Record<string, number>>
