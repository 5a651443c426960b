import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './outcome.ts'

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/.bin/vitest')
const REPORTER = fileURLToPath(new URL('outcome-reporter.ts', import.meta.url))

/** What Vitest runs on. */
export interface Target {
  /** The root of the project. */
  readonly root: string
  /** The configuration of Vitest, from the root. */
  readonly config: string
  /** The folder for what failed tests leave, from the root. */
  readonly results: string
}

/** Runs Vitest with these arguments. It prints what it does. */
export async function runVitest(
  { root, config, results }: Target,
  args: readonly string[],
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'bugle-test-'))
  const file = join(folder, 'outcome.json')
  try {
    const flags = ['run', '--config', config, '--reporter=default', `--reporter=${REPORTER}`]
    const child = spawn(VITEST, [...flags, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, BUGLE_TEST_OUTCOME: file, BUGLE_TEST_RESULTS: join(root, results) },
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return withEnd(readOutcome(file), code ?? 128 + constants.signals[signal ?? 'SIGKILL'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Vitest writes no outcome if it was killed, and none if its configuration is wrong. */
function readOutcome(file: string): Outcome | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Outcome
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Adds the exit code as a reason if nothing else explains it. */
function withEnd(outcome: Outcome | undefined, code: number): Outcome {
  const { passed, failed, failedFiles, runErrors } = outcome ?? NOTHING
  const isExplained = failedFiles.length > 0 || runErrors.length > 0
  const isAsExpected = outcome !== undefined && (code === 0 || (code === 1 && isExplained))
  const end = isAsExpected ? [] : [`Vitest ended with exit code ${code}.`]
  return { passed, failed, failedFiles, runErrors: [...runErrors, ...end] }
}

const NOTHING: Outcome = { passed: [], failed: 0, failedFiles: [], runErrors: [] }
