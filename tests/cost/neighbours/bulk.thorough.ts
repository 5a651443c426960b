import { describe, expect, test } from 'vitest'
import { openPostgresDatasets } from '../../../bench/postgres-datasets.ts'
import { openSqliteDatasets } from '../../../bench/sqlite-datasets.ts'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'
import { runNeighbours } from './run-neighbours.ts'

/** A fifth of what it was when bulk changes shared transactions, and several times what it is: other tests run beside this one. */
const MOST_TIMES_QUIET = 20

const DATASETS = {
  async SQLite() {
    const folder = temporaryFolder()
    const store = await openSqliteDatasets(folder.path)
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]()
        folder[Symbol.dispose]()
      },
    }
  },
  PostgreSQL: openPostgresDatasets,
}

/** `npm run test:cost` measures the other neighbours too, more often and with more issues. */
describe.each(Object.entries(DATASETS))('on %s', (_, open) => {
  test('bulk changes of one project barely delay submissions of another', async () => {
    await using store = await open()
    const [result] = await runNeighbours(store, {
      ...{ issues: 5_000, runs: 3, requests: 60, only: ['bulk changes'] },
      onStep: () => {},
      onResult: () => {},
    })
    if (result === undefined) throw new Error('nothing was measured')
    expect(result).toMatchObject({ refused: 0 })
    expect(result.beside.p50 / result.quiet.p50).toBeLessThan(MOST_TIMES_QUIET)
  })
})
