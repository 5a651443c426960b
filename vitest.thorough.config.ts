import { defineConfig } from 'vitest/config'
import { cacheTestCode } from './scripts/cache-test-code.ts'

cacheTestCode()

/** Tests that take minutes, for `npm run test:thorough`. Each is run once, with both databases available. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.thorough.ts', 'scripts/**/*.thorough.ts', 'tests/**/*.thorough.ts'],
    globalSetup: ['packages/server/test-support/set-up-postgres.ts'],
    pool: 'forks',
    // One at a time: several of them measure, and neighbours would change the figures.
    maxWorkers: 1,
    testTimeout: 15 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
