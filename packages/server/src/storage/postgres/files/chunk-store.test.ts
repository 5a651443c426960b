import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import pg from 'pg'
import { expect, test } from 'vitest'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { FileStoreUnavailable } from '../../files/file-store.ts'
import { describeFileStore } from '../../suites/file-store.contract.ts'
import { openPostgresStorage } from '../postgres-storage.ts'

async function openStage() {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  const { ownFiles: store } = storage
  if (store === null) throw new TypeError('PostgreSQL keeps files')
  return {
    store,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

describeFileStore('PostgreSQL', openStage)

test('a file that lost a chunk during its upload is not stored', async () => {
  await using stage = await openStage()
  const { store, url } = stage
  const bytes = randomBytes(1_000_000)
  const name = `1/${randomBytes(16).toString('hex')}` as const
  // As after a crash of PostgreSQL, which may lose what it did not wait for.
  const source = (async function* () {
    yield bytes.subarray(0, 700_000)
    await loseFirstChunk(url)
    yield bytes.subarray(700_000)
  })()
  await expect(store.put({ name, size: bytes.length, sha256: '' }, source)).rejects.toThrow(
    FileStoreUnavailable,
  )
  expect(await Readable.from(store.list()).toArray()).toEqual([])
})

async function loseFirstChunk(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('DELETE FROM file_chunks WHERE number = 0')
  await client.end()
  expect(rowCount).toBe(1)
}
