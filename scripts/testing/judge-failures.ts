import type { FailedFile, Failure, FailureError, Outcome } from './outcome.ts'

/** A busy machine delays a few tests. If more files fail, there is another cause. */
export const MOST_UNSTABLE_FILES = 3

/** The verdict on the first run: the reasons why it failed, or the files to rerun. */
export type Judgement =
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }
  | { readonly kind: 'second look'; readonly files: readonly FailedFile[] }

/**
 * Whether a run failed, or may only have been late. Waits that timed out and tests in a browser may fail because the machine
 * was busy; everything else is a failure at once.
 */
export function judge({ failedFiles, runErrors }: Outcome): Judgement {
  const failures = failedFiles.flatMap((file) =>
    file.failures
      .filter((failure) => !deservesSecondLook(file, failure))
      .map(({ name }) => `${file.path}: ${name}`),
  )
  const reasons = [...runErrors, ...failures]
  if (reasons.length > 0) return { kind: 'failed', reasons }
  if (failedFiles.length > MOST_UNSTABLE_FILES) return { kind: 'failed', reasons: [tooMany(failedFiles)] }
  return { kind: 'second look', files: failedFiles }
}

function tooMany(files: readonly FailedFile[]): string {
  const names = files.map(({ path }) => path).join(', ')
  return `${files.length} files timed out or failed in a browser; at most ${MOST_UNSTABLE_FILES} are rerun: ${names}`
}

/**
 * What these tests find must never happen, not even once: a lost or doubled report, an answer to someone without access,
 * two databases that disagree.
 */
const STRICT = [
  /\/storage\//,
  /(^|[/-])(access-matrix|security-lane|roles|secrets|hostile-clients|hostile-files)\b/,
  /(^|[/-])(durability|exactly-once|failover|faults|fuzz|intake|kill(ed)?|lost-commits)\b/,
  /(^|[/-])(bulk-changes|event-replay|event-stream|several-nodes|transfer|webhooks)\b/,
]

const ABORTED_IN_TIME = 'The operation was aborted due to timeout'

function deservesSecondLook({ path }: FailedFile, { of, inBrowser, errors }: Failure): boolean {
  if (of === 'file' || errors.length === 0) return false
  if (STRICT.some((pattern) => pattern.test(path))) return errors.every(ranOutOfTime)
  return inBrowser || errors.every((error) => ranOutOfTime(error) || waitedForValue(error))
}

/** A timeout of a test, a hook, a browser's action or an `AbortSignal`: no value was compared. Vitest gives its errors no code. */
function ranOutOfTime({ name, message, cause }: FailureError): boolean {
  return name === 'TimeoutError' || /^(Test|Hook) timed out in /.test(message) || cause === ABORTED_IN_TIME
}

/** `expect.poll` fails with what it saw last, and with this cause. */
function waitedForValue({ cause }: FailureError): boolean {
  return cause === 'Matcher did not succeed in time.'
}
