import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { judge } from './judge-failures.ts'
import type { FailedFile, Outcome } from './outcome.ts'
import type { Tally } from './print-tally.ts'
import { type Place, runVitest } from './run-vitest.ts'

/**
 * Runs Vitest with these arguments, and counts. Files that failed because a wait ran out run once more, one at a time:
 * what passes then is unstable, and listed in `unstable.txt` of the results.
 */
export async function runTests(place: Place, args: readonly string[]): Promise<Tally> {
  const results = join(place.root, place.results)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const first = await runVitest(place, args)
  const judgement = judge(first)
  if (judgement.kind === 'failed') return failedFor(judgement.reasons, first)
  const { files } = judgement
  if (files.length === 0) return { passed: first.passed, failed: 0, notes: [] }

  process.stdout.write(`\nOnce more, one at a time: ${files.map(({ path }) => path).join(', ')}\n`)
  const reasons: string[] = []
  let { passed } = first
  for (const file of files) {
    const again = await runAgain(place, file)
    reasons.push(...reasonsOf(file, again, place.root))
    passed += again.passed - file.passed
  }
  if (reasons.length > 0) return failedFor(reasons, first)
  const list = listOf(files, place.root)
  writeFileSync(join(results, 'unstable.txt'), list)
  return { passed, failed: 0, notes: [list] }
}

/** With the same configuration, whatever was selected of the file at first. */
function runAgain(place: Place, { path, project }: FailedFile): Promise<Outcome> {
  return runVitest(place, [join(place.root, path), '--project', project])
}

/** Why a file failed again. */
function reasonsOf({ path }: FailedFile, again: Outcome, root: string): readonly string[] {
  const failures = again.failedFiles.flatMap((file) => file.failures)
  const reasons = [
    ...failures.flatMap(({ name, evidence }) => [`${name}: failed again, alone`, ...shownIn(evidence, root)]),
    ...again.troubles,
    ...(again.passed === 0 && failures.length === 0 ? ['no test ran the second time'] : []),
  ]
  return reasons.map((reason) => `${path}: ${reason}`)
}

/** A run that failed without a failed test counts as one. */
function failedFor(reasons: readonly string[], { passed, failed }: Outcome): Tally {
  const lines = reasons.map((reason) => `  ${printable(reason)}\n`)
  return { passed, failed: Math.max(1, failed), notes: [`Failed:\n${lines.join('')}`] }
}

function listOf(files: readonly FailedFile[], root: string): string {
  const entries = files.map(({ path, project, failures }) => {
    const [{ name, errors, evidence }] = failures
    const [first = ''] = errors.map((error) => `${error.name}: ${error.message}`)
    const lines = [name, ...first.split('\n'), ...shownIn(evidence, root)]
    return [`${path} (${project})`, ...lines.map((line) => `  ${line}`)].join('\n')
  })
  const title = 'Unstable: failed, and passed when it ran alone. Find out what it should wait for.'
  return `${[title, ...entries].map(printable).join('\n')}\n`
}

function shownIn(evidence: readonly string[], root: string): readonly string[] {
  return evidence.map((file) => `see ${relative(root, file)}`)
}

/** What tests and pages say may hold anything; lines stay lines. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, ' ')
}
