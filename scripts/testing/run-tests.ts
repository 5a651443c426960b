import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { judge } from './judge-failures.ts'
import type { FailedFile, Outcome } from './outcome.ts'
import type { Tally } from './print-tally.ts'
import { runVitest, type Target } from './run-vitest.ts'

/**
 * Runs Vitest with these arguments, and counts. Files that failed because a wait ran out run once more, one at a time:
 * what passes then is unstable, and listed in `unstable.txt` of the results.
 */
export async function runTests(target: Target, args: readonly string[]): Promise<Tally> {
  const results = join(target.root, target.results)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const first = await runVitest(target, args)
  const judgement = judge(first)
  if (judgement.kind === 'failed') return failedFor(judgement.reasons, first)
  const { files } = judgement
  if (files.length === 0) return { passed: first.passed.length, failed: 0, notes: [] }

  process.stdout.write(`\nRerunning one at a time: ${files.map(({ path }) => path).join(', ')}\n`)
  const reasons: string[] = []
  let passed = first.passed.length
  for (const file of files) {
    const again = await runAgain(target, file)
    reasons.push(...reasonsOf(file, again, target.root))
    passed += again.passed.length - file.passed
  }
  if (reasons.length > 0) return failedFor(reasons, first)
  const list = listOf(files, target.root)
  writeFileSync(join(results, 'unstable.txt'), list)
  return { passed, failed: 0, notes: [list] }
}

/** Runs the whole file, even if only some of its tests were selected. */
function runAgain(target: Target, { path, project }: FailedFile): Promise<Outcome> {
  return runVitest(target, [join(target.root, path), '--project', project])
}

/** Why the second run of a file failed. */
function reasonsOf({ path, passed, failures }: FailedFile, again: Outcome, root: string): readonly string[] {
  const failedAgain = again.failedFiles.flatMap((file) => file.failures)
  const reasons = [
    ...failedAgain.flatMap(({ name, evidence }) => [
      `${name}: failed again when run alone`,
      ...evidenceLines(evidence, root),
    ]),
    ...again.runErrors,
  ]
  // It may not pass because it did not run.
  const missing = failures.filter(({ of, name }) => of === 'test' && !again.passed.includes(name))
  if (reasons.length === 0) reasons.push(...missing.map(({ name }) => `${name}: did not run the second time`))
  if (reasons.length === 0 && again.passed.length < Math.max(1, passed))
    reasons.push('fewer tests ran the second time')
  return reasons.map((reason) => `${path}: ${reason}`)
}

/** A run that failed without a failed test counts as one. */
function failedFor(reasons: readonly string[], { passed, failed }: Outcome): Tally {
  const lines = reasons.map((reason) => `  ${printable(reason)}\n`)
  return { passed: passed.length, failed: Math.max(1, failed), notes: [`Failed:\n${lines.join('')}`] }
}

function listOf(files: readonly FailedFile[], root: string): string {
  const entries = files.map(({ path, project, failures }) => {
    const [{ name, errors, evidence }] = failures
    const [first = ''] = errors.map((error) => `${error.name}: ${error.message}`)
    const lines = [name, ...first.split('\n'), ...evidenceLines(evidence, root)]
    return [`${path} (${project})`, ...lines.map((line) => `  ${line}`)].join('\n')
  })
  const title = 'Unstable: failed, then passed when run alone. Find out what each test should wait for.'
  return `${[title, ...entries].map(printable).join('\n')}\n`
}

function evidenceLines(evidence: readonly string[], root: string): readonly string[] {
  return evidence.map((file) => `see ${relative(root, file)}`)
}

/** Messages may contain control characters: all but line breaks become spaces. */
function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, ' ')
}
