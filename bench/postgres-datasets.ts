import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { openStorageForCommand } from '../packages/server/src/storage/open-storage.ts'
import { startPostgres } from '../packages/server/test-support/start-postgres.ts'
import { type Dataset, type DatasetStore, fillDataset } from './datasets.ts'

/** Data sets as databases of a separate PostgreSQL, deleted with it. */
export async function openPostgresDatasets(): Promise<DatasetStore> {
  const server = await startPostgres()
  const prepared = new Map<number, Promise<Dataset>>()
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

  async function build(size: number): Promise<Dataset> {
    await run(`CREATE DATABASE bench_${size}`)
    const storage = await openStorageForCommand(urlOf(server.url, `bench_${size}`))
    const dataset = await fillDataset(storage, size)
    await storage.close()
    return dataset
  }

  return {
    name: 'PostgreSQL',
    prepare(size) {
      const dataset = prepared.get(size) ?? build(size)
      prepared.set(size, dataset)
      return dataset
    },
    async copy({ size }) {
      const name = `bench_copy_${++copies}`
      const used = new Map<string, number>()
      await run(`CREATE DATABASE ${name} TEMPLATE bench_${size}`)
      return {
        url: urlOf(server.url, name),
        async size() {
          const [row] = await run(`SELECT pg_database_size('${name}') AS size`)
          return Number(row?.['size'])
        },
        cpuMicros: async () => backendMicros(name, used),
        async [Symbol.asyncDispose]() {
          await run(`DROP DATABASE ${name} WITH (FORCE)`)
        },
      }
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

export function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/**
 * The CPU time of the backend processes of a database, on Linux; unknown on other systems. `used` keeps the
 * time of processes that have ended.
 */
export function backendMicros(database: string, used: Map<string, number>): number {
  for (const file of globSync('/proc/[0-9]*/cmdline')) {
    try {
      const command = readFileSync(file, 'utf8')
      if (!command.startsWith('postgres: postgres') || !command.includes(` ${database} `)) continue
      // In nanoseconds; `stat` has hundredths of a second, which is more than many requests take.
      const [nanoseconds] = readFileSync(file.replace(/cmdline$/, 'schedstat'), 'utf8').split(' ')
      used.set(file, Number(nanoseconds) / 1_000)
    } catch (error) {
      // It has ended since it was listed.
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    }
  }
  return [...used.values()].reduce((sum, micros) => sum + micros, 0)
}
