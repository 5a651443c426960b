import { writeFileSync } from 'node:fs'
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSuite,
} from 'vitest/node'
import type { FailedFile, Failure, FailureError, Outcome } from './outcome.ts'

/** A reporter of Vitest: writes the outcome of the run to the file in `BUGLE_TEST_OUTCOME`, for `run-vitest.ts`. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const path = process.env['BUGLE_TEST_OUTCOME']
    if (!path) throw new Error('BUGLE_TEST_OUTCOME is not set: run the tests with `npm test`')
    writeFileSync(path, JSON.stringify(outcomeOf(modules, unhandled, reason)))
  }
}

function outcomeOf(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
  reason: TestRunEndReason,
): Outcome {
  return {
    passed: modules.flatMap((module) =>
      [...module.children.allTests('passed')].map(({ fullName }) => fullName),
    ),
    failed: modules.reduce((sum, module) => sum + count(module, 'failed'), 0),
    failedFiles: modules.flatMap(failedFile),
    runErrors: [
      ...unhandled.map(({ name, message }) => `${name ?? 'Error'} outside of any test: ${message}`),
      ...(reason === 'interrupted' ? ['The run was interrupted.'] : []),
    ],
  }
}

function count(module: TestModule, state: 'passed' | 'failed'): number {
  return [...module.children.allTests(state)].length
}

function failedFile(module: TestModule): readonly FailedFile[] {
  const isLoaded = module.children.size > 0
  const [first, ...others] = [
    ...failuresOf(module, isLoaded ? 'hook' : 'file', module.relativeModuleId),
    ...[...module.children.allSuites()].flatMap((suite) => failuresOf(suite, 'hook', suite.fullName)),
    ...[...module.children.allTests('failed')].map(failedTest),
  ]
  if (!first) return []
  return [
    {
      path: module.relativeModuleId,
      project: module.project.name,
      passed: count(module, 'passed'),
      failures: [first, ...others],
    },
  ]
}

function failuresOf(task: TestModule | TestSuite, of: 'hook' | 'file', name: string): readonly Failure[] {
  const errors = task.errors()
  if (errors.length === 0) return []
  return [{ of, name, errors: errors.map(toFailureError), inBrowser: false, evidence: [] }]
}

function failedTest(test: TestCase): Failure {
  const { inBrowser = false, evidence = [] } = test.meta()
  const errors = (test.result().errors ?? []).map(toFailureError)
  return { of: 'test', name: test.fullName, errors, inBrowser, evidence }
}

function toFailureError({ name = 'Error', message, cause }: SerializedError): FailureError {
  return { name, message, ...(cause ? { cause: cause.message } : {}) }
}
