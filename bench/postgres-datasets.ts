import { globSync, readFileSync } from 'node:fs'
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
        cpuMicros: async () => backendMicros(name),
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

/** Linux counts in hundredths of a second. */
const TICK_MICROS = 10_000

/** What the processes that serve connections to a database have used, as Linux tells it; elsewhere it is not known. */
function backendMicros(database: string): number {
  return globSync('/proc/[0-9]*/cmdline')
    .map((file) => {
      try {
        const command = readFileSync(file, 'utf8')
        if (!command.startsWith('postgres: postgres') || !command.includes(` ${database} `)) return 0
        const [user = 0, system = 0] = readFileSync(file.replace(/cmdline$/, 'stat'), 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
          .slice(11, 13)
          .map(Number)
        return (user + system) * TICK_MICROS
      } catch (error) {
        // It has ended since it was listed.
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
          return 0
        throw error
      }
    })
    .reduce((sum, micros) => sum + micros, 0)
}
