import { expect } from 'vitest'
import type { KeyedProject } from './cluster.ts'
import type { Ledger } from './mixed-load.ts'
import type { StoredRows } from './stored-rows.ts'

/** Everything that was acknowledged is stored, and repeated submissions are stored once. `rows` are those of the projects, in order. */
export function expectNothingLost(
  ledger: Ledger,
  projects: readonly KeyedProject[],
  rows: readonly StoredRows[],
): void {
  for (const [index, { numbers, submissions, reports }] of rows.entries()) {
    const ofProject = <T extends { readonly project: KeyedProject }>(some: readonly T[]) =>
      some.filter(({ project }) => project.id === projects[index]?.id)
    const issues = new Set(numbers)
    const named = ofProject(ledger.named)
    const missing = [...ofProject(ledger.stored), ...named].filter(
      ({ record }) => !issues.has(record.issueNumber),
    )
    expect(missing).toEqual([])
    expect(new Map(named.map((one) => [one.submissionId, one.record.issueNumber]))).toEqual(submissions)
    const grouped = Map.groupBy(named, ({ fingerprint }) => fingerprint ?? '')
    grouped.delete('')
    expect(new Map([...grouped].map(([fingerprint, all]) => [fingerprint, all.length]))).toEqual(reports)
  }
  const notes = new Set(rows.flatMap((row) => [...row.notes]))
  expect(ledger.notes.filter(({ note }) => !notes.has(note))).toEqual([])
}

/** Issue numbers and event positions start at 1 and have no gaps. */
export function expectNoGaps(rows: readonly StoredRows[]): void {
  for (const { numbers, positions } of rows) {
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(positions).toEqual(positions.map((_, index) => index + 1))
  }
}

export function expectRightCounts(rows: readonly StoredRows[]): void {
  for (const { miscounted } of rows) expect(miscounted).toEqual([])
}

/** All of the above. */
export function expectIntact(
  ledger: Ledger,
  projects: readonly KeyedProject[],
  rows: readonly StoredRows[],
): void {
  expectNothingLost(ledger, projects, rows)
  expectNoGaps(rows)
  expectRightCounts(rows)
}
