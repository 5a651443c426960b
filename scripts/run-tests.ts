import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
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

/** Runs commands of the workspace together, which must succeed, and prints their results in this order. */
export async function runSteps(steps: Readonly<Record<string, readonly string[]>>): Promise<Tally> {
  const running = Object.entries(steps).map(([label, command]) => ({ label, ended: run(command) }))
  let failed = 0
  for (const { label, ended } of running) {
    const { isOk, output, seconds } = await ended
    process.stdout.write(`${label}: ${isOk ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
    if (isOk) continue
    failed++
    process.stdout.write(`${output}\n`)
  }
  return { passed: running.length - failed, failed }
}

async function run([command = '', ...args]: readonly string[]) {
  const began = performance.now()
  const child = spawn(join(BIN, command), args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await ended
  return { isOk: status === 0, output: out + errors, seconds: (performance.now() - began) / 1_000 }
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
