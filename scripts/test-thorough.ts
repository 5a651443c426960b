import { printTally } from './testing/print-tally.ts'
import { runTests } from './testing/run-tests.ts'
import { ROOT } from './testing/run-vitest.ts'

/** `npm run test:thorough`: every `*.thorough.ts` file, each of which may take minutes. The last line counts. */
printTally([
  await runTests(
    { root: ROOT, config: 'vitest.thorough.config.ts', results: 'dist/test-results/thorough' },
    process.argv.slice(2),
  ),
])
