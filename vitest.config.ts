import { defineConfig } from 'vitest/config'
import { cacheTestCode } from './scripts/cache-test-code.ts'

cacheTestCode()

/** Generous: what must be quick says so in its test, and a busy machine is no failure. */
const LIMITS = {
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
} as const
const POSTGRES_TESTS = 'packages/server/src/storage/postgres/**/*.test.ts'
const BROWSER_TESTS = [
  'tests/dashboard-*.test.ts',
  'tests/sdk-*.test.ts',
  'tests/docs.test.ts',
  'tests/five-minutes.test.ts',
  'tests/support/docs/*.test.ts',
]
/** Tests of the HTTP suite that open no database: a second run on another one would be the same run. */
const WITHOUT_DATABASE = [
  'gates/client-address',
  'input/cut-value',
  'input/nesting',
  'answers/deprecation',
  'answers/negotiate',
  'openapi/openapi',
  'openapi/openapi-rules',
  'pages/pages',
  'gates/patience',
  'answers/problem',
  'routes/dashboard',
  'answers/session-cookie',
  'gates/trusted-proxies',
].map((name) => `packages/server/src/http/${name}.test.ts`)

export default defineConfig({
  test: {
    // Much of a test is waiting, for disks and processes: two at a time keep two cores busy.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...LIMITS,
          name: 'main',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', POSTGRES_TESTS, ...BROWSER_TESTS],
        },
      },
      {
        // One worker runs many files: it loads the server and starts the browser once.
        test: { ...LIMITS, name: 'browser', include: [...BROWSER_TESTS], isolate: false },
      },
      {
        // The HTTP suite and what hostile clients send once more, unchanged.
        test: {
          ...LIMITS,
          name: 'postgres',
          include: [
            POSTGRES_TESTS,
            'packages/server/src/http/**/*.test.ts',
            'tests/hostile-requests.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            // Thousands of requests; on PostgreSQL they are made by the thorough run.
            'packages/server/src/http/access-matrix.test.ts',
            'packages/server/src/http/security-lane.test.ts',
            ...WITHOUT_DATABASE,
          ],
          env: { BUGLE_TEST_DATABASE: 'postgres' },
          globalSetup: ['packages/server/test-support/set-up-postgres.ts'],
        },
      },
    ],
  },
})
