import { test } from 'vitest'
import { openSqliteDatasets } from '../../bench/sqlite-datasets.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { checkCost } from './check-cost.ts'

test('the most expensive requests cost little on SQLite', async () => {
  using folder = temporaryFolder()
  await using store = await openSqliteDatasets(folder.path)
  await checkCost(store)
})
