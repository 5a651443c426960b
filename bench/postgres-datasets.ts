import pg from 'pg'
import { openStorageForCommand } from '../packages/server/src/storage/open-storage.ts'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import { type DatasetStore, fillDataset } from './datasets.ts'

/** Data sets as databases of a PostgreSQL of its own, gone with it. */
export async function openPostgresDatasets(): Promise<DatasetStore> {
  const server = await startPostgres()
  let copies = 0

  async function run(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  return {
    name: 'PostgreSQL',
    async prepare(size) {
      await run(`CREATE DATABASE bench_${size}`)
      const storage = await openStorageForCommand(urlOf(server.url, `bench_${size}`))
      const dataset = await fillDataset(storage, size)
      await storage.close()
      return dataset
    },
    async copy({ size }) {
      const name = `bench_copy_${++copies}`
      await run(`CREATE DATABASE ${name} TEMPLATE bench_${size}`)
      return {
        url: urlOf(server.url, name),
        async size() {
          const [row] = await run(`SELECT pg_database_size('${name}') AS size`)
          return Number(row?.['size'])
        },
        async [Symbol.asyncDispose]() {
          await run(`DROP DATABASE ${name} WITH (FORCE)`)
        },
      }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
