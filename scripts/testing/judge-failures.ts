import type { FailedFile, Failure, FailureError, Outcome } from './outcome.ts'

/** A machine that is busy makes one test late. More files at a time have another reason. */
export const MOST_UNSTABLE_FILES = 3

/** What the first run deserves: the reasons why it failed, or the files that may run once more. */
export type Judgement =
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }
  | { readonly kind: 'second look'; readonly files: readonly FailedFile[] }

/**
 * Whether a run failed, or only waited in vain. Waits that ran out and tests in a browser may fail because the machine
 * was busy; everything else is a failure at once.
 */
export function judge({ failedFiles, troubles }: Outcome): Judgement {
  const failures = failedFiles.flatMap((file) =>
    file.failures
      .filter((failure) => !deservesSecondLook(file, failure))
      .map(({ name }) => `${file.path}: ${name}`),
  )
  const reasons = [...troubles, ...failures]
  if (reasons.length > 0) return { kind: 'failed', reasons }
  if (failedFiles.length > MOST_UNSTABLE_FILES) return { kind: 'failed', reasons: [tooMany(failedFiles)] }
  return { kind: 'second look', files: failedFiles }
}

function tooMany(files: readonly FailedFile[]): string {
  const names = files.map(({ path }) => path).join(', ')
  return `${files.length} files failed on a wait or in a browser, and ${MOST_UNSTABLE_FILES} are the most that may: ${names}`
}

/**
 * What these tests find must never happen, not even once: a lost or doubled report, an answer to someone without access,
 * two databases that disagree.
 */
const STRICT = [
  /\/storage\//,
  /(^|[/-])(access-matrix|durability|exactly-once|failover|fuzz|intake|kill(ed)?|lost-commits|security-lane|several-nodes|transfer)\b/,
  /(^|[/-])faults\b/,
]

function deservesSecondLook({ path }: FailedFile, { of, inBrowser, errors }: Failure): boolean {
  if (of === 'file' || errors.length === 0) return false
  if (STRICT.some((pattern) => pattern.test(path))) return errors.every(ranOutOfTime)
  return inBrowser || errors.every((error) => ranOutOfTime(error) || waitedForValue(error))
}

/** Without having seen a value: the limit of a test or a hook, or of an action in a browser. */
function ranOutOfTime({ name, message }: FailureError): boolean {
  return name === 'TimeoutError' || /^(Test|Hook) timed out in /.test(message)
}

/** `expect.poll` fails with what it saw last, and gives this cause. */
function waitedForValue({ cause }: FailureError): boolean {
  return cause === 'Matcher did not succeed in time.'
}
