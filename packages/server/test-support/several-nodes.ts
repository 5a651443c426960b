import pg from 'pg'
import { afterEach, beforeEach } from 'vitest'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import type { Storage } from '../src/storage/storage.ts'
import { type TemporaryDatabase, temporaryPostgresDatabase } from './temporary-database.ts'

/** A PostgreSQL database for each test, and any number of storages on it, as with several servers. */
export function setNodes() {
  let database: TemporaryDatabase
  const nodes: Storage[] = []

  beforeEach(async () => {
    database = await temporaryPostgresDatabase()
  })
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.close()))
    await database[Symbol.asyncDispose]()
  })

  return {
    get url() {
      return database.url
    },
    async openNode(url = database.url): Promise<Storage> {
      const node = await openPostgresStorage(url)
      nodes.push(node)
      return node
    },
    /** Queries the database directly. */
    async query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
      await using client = await this.connect()
      return (await client.query<R>(text)).rows
    },
    async connect(): Promise<pg.Client & AsyncDisposable> {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
    },
  }
}
