import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { cacheTestCode } from './scripts/testing/cache-test-code.ts'
import { HTTP_TESTS_ON_POSTGRES, workersFor } from './vitest.config.ts'

cacheTestCode()

/** These measure CPU time or memory of their own processes, and wait half of the time: two run at a time, after the others. */
const COSTS = [
  'tests/cost/**/*.thorough.ts',
  'tests/sentry-memory.thorough.ts',
  'tests/upload-memory.thorough.ts',
]
/** Concurrent tests would change what these measure: they run last, one at a time. */
const MEASURING = [
  'tests/dashboard-scroll.thorough.ts',
  'tests/reporter-polls.thorough.ts',
  'tests/sentry-rate.thorough.ts',
  'tests/start.thorough.ts',
]
/** Run on PostgreSQL, by the project: a worker runs files one after the other, so that no file may set it for the process. */
const ONLY_ON_POSTGRES = [
  'packages/server/src/http/access-matrix.thorough.ts',
  'packages/server/src/http/security-lane-postgres.thorough.ts',
]
const ON_BOTH = ['packages/server/src/http/routes/event-stream.thorough.ts']
/** These take longest, and start first: otherwise the last of them would run alone at the end. */
const LONGEST = [
  'http/security-lane-postgres.thorough.ts',
  'tests/dashboard-accessibility.thorough.ts',
  'tests/fuzz/fuzz.thorough.ts',
  'http/security-lane.thorough.ts',
  'http/access-matrix.thorough.ts',
  'postgres/issues/issue-lists.thorough.ts',
  'sqlite/issues/issue-lists.thorough.ts',
]
const SET_UP = ['packages/server/test-support/set-up-postgres.ts', 'tests/support/browser/build-pages.ts']
const COMMON = {
  pool: 'forks',
  setupFiles: 'tests/support/browser/keep-evidence.ts',
  globalSetup: SET_UP,
  testTimeout: 15 * 60_000,
  hookTimeout: 15 * 60_000,
  expect: { poll: { timeout: 120_000 } },
} as const

/** Vitest starts with the largest files, but the longest tests are in small ones. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((end) => moduleId.endsWith(end))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** For `npm run test:thorough`: tests that take minutes, and the HTTP suite on PostgreSQL. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...COMMON,
          // As in `npm test`, a worker loads the server once, and starts the browser once.
          name: 'long',
          include: ['packages/*/src/**/*.thorough.ts', 'scripts/**/*.thorough.ts', 'tests/**/*.thorough.ts'],
          exclude: ['**/node_modules/**', ...ONLY_ON_POSTGRES, ...COSTS, ...MEASURING],
          isolate: false,
          maxWorkers: workersFor(availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          ...HTTP_TESTS_ON_POSTGRES,
          name: 'postgres',
          include: [...HTTP_TESTS_ON_POSTGRES.include, ...ONLY_ON_POSTGRES, ...ON_BOTH],
          isolate: false,
          maxWorkers: workersFor(availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'costs',
          include: COSTS,
          globalSetup: [...SET_UP, 'tests/cost/set-up.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'measuring',
          include: MEASURING,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
