import { printTally, runSteps, runTests } from './run-tests.ts'

/** `npm test`: types, lint, the dependency rule, all tests. The last line counts; any failure is a non-zero exit. */
printTally([
  await runSteps({
    Types: ['tsc', '-p', '.'],
    'Types of the SDK': ['tsc', '-p', 'packages/sdk'],
    'Types of the dashboard': ['tsc', '-p', 'packages/dashboard'],
    Lint: ['biome', 'check', '--error-on-warnings', '.'],
    'Dependency rule': ['node', 'scripts/check-dependencies.ts'],
    'The dashboard builds': ['node', 'scripts/build-dashboard.mjs'],
  }),
  runTests(process.argv.slice(2)),
])
