import { expect, it } from 'vitest'
import { spawnBugle } from '../../../../test-support/run-bugle.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { startTransactionPooler } from '../../../../test-support/transaction-pooler.ts'
import { openPostgresStorage } from '../postgres-storage.ts'
import { createConnector } from './connector.ts'

const stage = setNodes()

it('a pooler that shares connections between transactions is refused at the start, with a message', async () => {
  await using pooler = await startTransactionPooler(stage.url)
  await expect(openPostgresStorage(pooler.url)).rejects.toThrow(/PgBouncer with pool_mode = transaction/)
  const outcome = await spawnBugle(['serve'], { BUGLE_DATABASE_URL: pooler.url, BUGLE_PORT: '0' })
  expect(outcome).toMatchObject({ code: 1, stdout: '' })
  expect(outcome.stderr).toMatch(
    /^bugle: The database .* could not be opened\. .*set pool_mode = session\.\n$/,
  )
})

it('a server without a pooler is recognised by one connection', async () => {
  const { client, state } = await createConnector(stage.url).connect()
  await client.end()
  expect(state).toEqual({ isReadOnly: false, isPooled: false })
})
