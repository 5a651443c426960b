export interface Tally {
  readonly passed: number
  readonly failed: number
  /** What to say after everything else: why it failed, or what is unstable. */
  readonly notes: readonly string[]
}

/** Prints the end of a run. Any failure is a non-zero exit. */
export function printTally(tallies: readonly Tally[]): void {
  for (const note of tallies.flatMap(({ notes }) => notes)) process.stdout.write(`\n${note}`)
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}
