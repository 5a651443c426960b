import { printTally, runStep, runTests } from './testing/run-tests.ts'

/** `npm test`: types, lint, the dependency rule, all tests. The last line counts; any failure is a non-zero exit. */
printTally([
  runStep('Types', ['tsc', '-p', '.']),
  runStep('Types of the SDK', ['tsc', '-p', 'packages/sdk']),
  runStep('Types of the dashboard', ['tsc', '-p', 'packages/dashboard']),
  runStep('Lint', ['biome', 'check', '--error-on-warnings', '.']),
  runStep('Dependency rule', ['node', 'scripts/check-dependencies.ts']),
  runStep('The dashboard builds', ['node', 'scripts/build-dashboard.mjs']),
  runTests(process.argv.slice(2)),
])
