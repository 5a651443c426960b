import { printTally, type Tally } from './testing/print-tally.ts'
import { runStep } from './testing/run-step.ts'
import { runTests } from './testing/run-tests.ts'
import { ROOT } from './testing/run-vitest.ts'

/** `npm test`: types, lint, the dependency rule, all tests. The last line counts; any failure is a non-zero exit. */
printTally([
  checkTypes('Types', '.'),
  checkTypes('Types of the SDK', 'packages/sdk'),
  checkTypes('Types of the dashboard', 'packages/dashboard'),
  runStep('Lint', ['biome', 'check', '--error-on-warnings', '.']),
  runStep('Dependency rule', ['node', 'scripts/check-dependencies.ts']),
  await runTests(
    { root: ROOT, config: 'vitest.config.ts', results: 'dist/test-results/test' },
    process.argv.slice(2),
  ),
])

/** Several checkers would each infer the types that the files share: that takes more than twice the CPU time. */
function checkTypes(label: string, project: string): Tally {
  return runStep(label, ['tsc', '-p', project, '--checkers', '1'])
}
