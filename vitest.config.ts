import { defineConfig } from 'vitest/config'

const LIMITS = { pool: 'forks', testTimeout: 20_000, hookTimeout: 30_000 } as const
const POSTGRES_TESTS = 'packages/server/src/storage/postgres/**/*.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...LIMITS,
          name: 'main',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', POSTGRES_TESTS],
        },
      },
      {
        // The HTTP suite once more, unchanged.
        test: {
          ...LIMITS,
          name: 'postgres',
          include: [POSTGRES_TESTS, 'packages/server/src/http/**/*.test.ts'],
          env: { BUGLE_TEST_DATABASE: 'postgres' },
          globalSetup: ['packages/server/test-support/start-postgres.ts'],
        },
      },
    ],
  },
})
