import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Tally } from './print-tally.ts'
import { ROOT } from './run-vitest.ts'

const BIN = join(ROOT, 'node_modules', '.bin')

/** Runs a command of the workspace, which must succeed. */
export function runStep(label: string, [command = '', ...args]: readonly string[]): Tally {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(join(BIN, command), args, { cwd: ROOT, encoding: 'utf8' })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  process.stdout.write(`${label}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`)
  if (status === 0) return { passed: 1, failed: 0, notes: [] }
  process.stdout.write(`${stdout}${stderr}\n`)
  return { passed: 0, failed: 1, notes: [`Failed: ${label}\n`] }
}
