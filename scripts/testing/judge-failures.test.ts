import { expect, test } from 'vitest'
import { judge } from './judge-failures.ts'
import type { FailedFile, Failure, FailureError, Outcome } from './outcome.ts'

const WRONG_VALUE = { name: 'AssertionError', message: 'expected 2 to be 1' }
const POLL = { ...WRONG_VALUE, cause: 'Matcher did not succeed in time.' }
const TEST_TIMEOUT = { name: 'Error', message: 'Test timed out in 240000ms.\nIf this is …' }
const HOOK_TIMEOUT = { name: 'Error', message: 'Hook timed out in 240000ms.\nIf this is …' }
const ABORTED = {
  name: 'AbortError',
  message: 'The operation was aborted',
  cause: 'The operation was aborted due to timeout',
}
const ACTION_TIMEOUT = { name: 'TimeoutError', message: 'locator.click: Timeout 90000ms exceeded.' }

/** What failed, the file, and how. */
type Case = [string, string, Partial<Failure> & { errors: readonly FailureError[] }]

test.each<Case>([
  ['a test that timed out', 'tests/start.test.ts', { errors: [TEST_TIMEOUT] }],
  ['a hook that timed out', 'tests/start.test.ts', { of: 'hook', errors: [HOOK_TIMEOUT] }],
  ['a server that did not start in time', 'tests/start.test.ts', { errors: [ABORTED] }],
  ['a poll that ran out', 'tests/start.test.ts', { errors: [POLL] }],
  ['an action in a browser', 'tests/five-minutes.test.ts', { errors: [ACTION_TIMEOUT] }],
  ['a wrong value in a browser', 'tests/dashboard-list.test.ts', { inBrowser: true, errors: [WRONG_VALUE] }],
  [
    'a test that timed out, and the page that it left',
    'tests/dashboard-list.test.ts',
    { inBrowser: true, errors: [TEST_TIMEOUT, WRONG_VALUE] },
  ],
  ['a storage test that timed out', 'packages/server/src/storage/a.test.ts', { errors: [TEST_TIMEOUT] }],
])('%s gets a second look', (_, path, failure) => {
  const outcome = outcomeOf([file(path, failure)])
  expect(judge(outcome)).toEqual({ kind: 'second look', files: outcome.failedFiles })
})

test.each<Case>([
  ['a wrong value', 'tests/start.test.ts', { errors: [WRONG_VALUE] }],
  ['a wrong value after a wait', 'tests/start.test.ts', { errors: [POLL, WRONG_VALUE] }],
  ['a hook that threw', 'tests/dashboard-list.test.ts', { of: 'hook', errors: [WRONG_VALUE] }],
  ['a file that does not load', 'tests/start.test.ts', { of: 'file', errors: [TEST_TIMEOUT] }],
  ['a failure without an error', 'tests/start.test.ts', { errors: [] }],
  ...[
    'packages/server/src/storage/sqlite/issues/issue-lists.thorough.ts',
    'packages/server/src/http/access-matrix.test.ts',
    'packages/server/src/http/security-lane-postgres.thorough.ts',
    'tests/exactly-once.test.ts',
    'tests/faults/sqlite-kill.thorough.ts',
    'tests/fuzz/fuzz.thorough.ts',
    'tests/sdk-browser-faults.thorough.ts',
    'tests/sdk-server-killed.thorough.ts',
    'tests/sentry-kill.thorough.ts',
    'tests/webhooks.thorough.ts',
    'tests/dashboard-roles.test.ts',
    'packages/server/src/http/routes/event-stream.thorough.ts',
  ].map((path): Case => [`a value that never came, in ${path},`, path, { inBrowser: true, errors: [POLL] }]),
])('%s is a failure at once', (_, path, failure) => {
  expect(judge(outcomeOf([file(path, failure)]))).toEqual({ kind: 'failed', reasons: [`${path}: is right`] })
})

test('one failure that is not a wait is enough', () => {
  const late = file('tests/a.test.ts', { errors: [TEST_TIMEOUT] })
  const wrong = file('tests/b.test.ts', { errors: [WRONG_VALUE] })
  expect(judge(outcomeOf([late, wrong]))).toEqual({ kind: 'failed', reasons: ['tests/b.test.ts: is right'] })
})

test('errors outside of any test are never forgiven', () => {
  const late = file('tests/a.test.ts', { errors: [TEST_TIMEOUT] })
  expect(judge({ ...outcomeOf([late]), runErrors: ['a worker crashed'] })).toEqual({
    kind: 'failed',
    reasons: ['a worker crashed'],
  })
})

test('three files may be late, a fourth is a failure', () => {
  const late = ['a', 'b', 'c', 'd'].map((name) => file(`tests/${name}.test.ts`, { errors: [TEST_TIMEOUT] }))
  expect(judge(outcomeOf(late.slice(0, 3))).kind).toBe('second look')
  expect(judge(outcomeOf(late))).toEqual({
    kind: 'failed',
    reasons: [expect.stringMatching(/^4 files .*: tests\/a\.test\.ts, .*, tests\/d\.test\.ts$/)],
  })
})

function file(path: string, failure: Partial<Failure>): FailedFile {
  const plain = { of: 'test', name: 'is right', errors: [], inBrowser: false, evidence: [] } as const
  return { path, project: 'main', passed: 0, failures: [{ ...plain, ...failure }] }
}

function outcomeOf(failedFiles: readonly FailedFile[]): Outcome {
  return { passed: [], failed: failedFiles.length, failedFiles, runErrors: [] }
}
