import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BIN = join(ROOT, 'node_modules', '.bin')

export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** Prints the last line of a run. Any failure is a non-zero exit. */
export function printTally(tallies: readonly Tally[]): void {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs a command of the workspace, which must succeed. */
export function runStep(label: string, [command = '', ...args]: readonly string[]): Tally {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(join(BIN, command), args, { cwd: ROOT, encoding: 'utf8' })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  process.stdout.write(`${label}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (status === 0) return { passed: 1, failed: 0 }
  process.stdout.write(`${stdout}${stderr}\n`)
  return { passed: 0, failed: 1 }
}

/** Runs Vitest with these arguments, and counts. */
export function runTests(args: readonly string[]): Tally {
  const folder = mkdtempSync(join(tmpdir(), 'bugle-test-'))
  const report = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { status } = spawnSync(join(BIN, 'vitest'), ['run', ...reporters, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
    })
    return tallyOf(report, status)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}

function tallyOf(report: string, status: number | null): Tally {
  const { numPassedTests: passed, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  // A file that cannot be loaded, or an error outside of any test, fails no test, so it counts as one.
  const failed = status === 0 ? numFailedTests : Math.max(1, numFailedTests)
  return { passed, failed }
}
