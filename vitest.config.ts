import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { cacheTestCode } from './scripts/testing/cache-test-code.ts'

cacheTestCode()

/** The limits are generous: tests of speed have their own limits, and a busy machine must not cause failures. */
const COMMON = {
  pool: 'forks',
  setupFiles: 'tests/support/browser/keep-evidence.ts',
  // A worker runs many files, because loading the server takes longer than most of them. It also starts the browser only once.
  isolate: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 120_000 } },
} as const
const POSTGRES_TESTS = [
  'packages/server/src/storage/postgres/**/*.test.ts',
  'packages/server/src/cli/data/distribute.test.ts',
  'packages/server/src/http/newer-schema.test.ts',
]
/** They need the built dashboard and SDK; most show pages in a browser. */
const PAGE_TESTS = [
  'tests/dashboard-*.test.ts',
  'tests/sdk-*.test.ts',
  'tests/five-minutes.test.ts',
  'packages/server/src/http/sdk-upgrade.test.ts',
]
/** Tests of the HTTP suite that open no database: running them on another database would test nothing more. */
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
  'routes/pages/dashboard',
  'routes/pages/sdk',
  'answers/session-cookie',
  'gates/trusted-proxies',
].map((name) => `packages/server/src/http/${name}.test.ts`)

/** Run by `npm run test:thorough`: the HTTP suite and the tests of hostile requests again, unchanged. */
export const HTTP_TESTS_ON_POSTGRES = {
  include: ['packages/server/src/http/**/*.test.ts', 'tests/hostile-requests.test.ts'],
  exclude: [
    '**/node_modules/**',
    // Their thorough versions run on PostgreSQL.
    'packages/server/src/http/access-matrix.test.ts',
    'packages/server/src/http/security-lane.test.ts',
    ...WITHOUT_DATABASE,
  ],
  env: { BUGLE_TEST_DATABASE: 'postgres' },
}

/** Tests spend about a third of their time waiting for disks, processes and the browser, so one worker more than there are cores. */
export function workersFor(cores: number): number {
  return Math.min(cores + 1, 4)
}

export default defineConfig({
  test: {
    maxWorkers: workersFor(availableParallelism()),
    projects: [
      {
        test: {
          ...COMMON,
          name: 'main',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...POSTGRES_TESTS, ...PAGE_TESTS],
        },
      },
      {
        test: {
          ...COMMON,
          name: 'browser',
          include: PAGE_TESTS,
          globalSetup: ['tests/support/browser/build-pages.ts'],
        },
      },
      {
        test: {
          ...COMMON,
          name: 'postgres',
          include: POSTGRES_TESTS,
          env: { BUGLE_TEST_DATABASE: 'postgres' },
          globalSetup: ['packages/server/test-support/set-up-postgres.ts'],
        },
      },
    ],
  },
})
