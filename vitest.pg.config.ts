import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: {
    include: ['packages/server/src/storage/postgres/**/*.test.ts', 'packages/server/src/http/**/*.test.ts'],
    globalSetup: ['packages/server/test-support/start-postgres.ts'],
    env: { BUGLE_TEST_DATABASE: 'postgres' },
    pool: 'forks', testTimeout: 20_000, hookTimeout: 30_000,
  },
})
