import { printTally } from './testing/print-tally.ts'
import { runStep } from './testing/run-step.ts'
import { runTests } from './testing/run-tests.ts'
import { ROOT } from './testing/run-vitest.ts'

/** `npm test`: types, lint, the dependency rule, all tests. The last line counts; any failure is a non-zero exit. */
printTally([
  runStep('Types', ['tsc', '-p', '.']),
  runStep('Types of the SDK', ['tsc', '-p', 'packages/sdk']),
  runStep('Types of the dashboard', ['tsc', '-p', 'packages/dashboard']),
  runStep('Lint', ['biome', 'check', '--error-on-warnings', '.']),
  runStep('Dependency rule', ['node', 'scripts/check-dependencies.ts']),
  runStep('The dashboard builds', ['node', 'scripts/build-dashboard.mjs']),
  await runTests(
    { root: ROOT, config: 'vitest.config.ts', results: 'dist/test-results/test' },
    process.argv.slice(2),
  ),
])
