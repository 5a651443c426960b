import { createIntakeWrites } from '../../issues/intake.ts'
import type { IssueTables } from '../../issues/issue-tables.ts'
import { createIssueWrites } from '../../issues/issue-writes.ts'
import { createSubmissionWrites } from '../../issues/submissions.ts'
import { createTriageWrites } from '../../issues/triage.ts'

/** The writes that are committed in groups, by name. Each is about one project. */
export type WriteOperations = ReturnType<typeof createWriteOperations>
export type WriteName = keyof WriteOperations

/** A write that waits for its turn. */
export type WriteCall = {
  [N in WriteName]: readonly [name: N, ...args: Parameters<WriteOperations[N]>]
}[WriteName]

export function createWriteOperations(tables: IssueTables) {
  const issues = createIssueWrites(tables)
  return {
    ...createSubmissionWrites(tables, issues),
    ...createTriageWrites(tables, issues),
    ...createIntakeWrites(tables),
  }
}

/** Runs calls one after the other; answers with what each has returned. */
export function runCalls(tables: IssueTables, calls: readonly WriteCall[]): readonly unknown[] {
  const operations = createWriteOperations(tables) as Record<WriteName, (...args: unknown[]) => unknown>
  return calls.map(([name, ...args]) => operations[name](...args))
}
