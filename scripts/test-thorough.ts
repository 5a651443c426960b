import { printTally, runStep, runTests } from './testing/run-tests.ts'

/** `npm run test:thorough`: every `*.thorough.ts` file, each of which may take minutes. The last line counts. */
printTally([
  runStep('The dashboard builds', ['node', 'scripts/build-dashboard.mjs']),
  runTests(['--config', 'vitest.thorough.config.ts', ...process.argv.slice(2)]),
])
