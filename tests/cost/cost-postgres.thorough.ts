import { test } from 'vitest'
import { openPostgresDatasets } from '../../bench/postgres-datasets.ts'
import { checkCost } from './check-cost.ts'

test('the most expensive requests cost little on PostgreSQL', async () => {
  await using store = await openPostgresDatasets()
  await checkCost(store)
})
