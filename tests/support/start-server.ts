import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, shellEnvironment, startProcess, type TestProcess } from './start-process.ts'

const BUGLE = join(ROOT, 'packages/server/bin/bugle.js')
const ADDRESS = /listening on (http:\S+)\n/
const PRINTED_KEYS = /(bgl_pub_\w+)\s[\s\S]*?(bgl_sec_\w+)\s/

/** The token for metrics of test servers. */
export const METRICS_TOKEN = 'a-token-for-the-metrics'

/** A server in a separate process. */
export interface TestServer extends TestProcess {
  readonly url: string
}

export interface Keys {
  readonly publicKey: string
  readonly secretKey: string
}

/** Serves a database file on a free port. */
export function startServer(
  database: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  return startServerOn(`sqlite:${database}`, settings)
}

/** Serves any database on a free port. */
export async function startServerOn(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  wrapper: readonly string[] = [],
): Promise<TestServer> {
  const [command = process.execPath, ...args] = [...wrapper, process.execPath, BUGLE, 'serve']
  const serving = startProcess({
    command,
    args,
    environment: {
      ...shellEnvironment(),
      ...settingsOn(databaseUrl),
      BUGLE_LOG_LEVEL: 'warn',
      ...settings,
    },
  })
  return Object.assign(serving, { url: await printedAddress(serving) })
}

/** Serves a database file that does not exist yet, and reads the keys of the first start. */
export async function startFirstServer(database: string): Promise<{ server: TestServer; keys: Keys }> {
  if (existsSync(database)) throw new Error(`${database} exists: its keys were printed at its first start`)
  const server = await startServer(database)
  return { server, keys: await printedKeys(server) }
}

/** The environment that makes a server use the file, any free port, no rate limits, and the token for metrics. */
export function settingsFor(database: string): Record<string, string> {
  return settingsOn(`sqlite:${database}`)
}

function settingsOn(databaseUrl: string): Record<string, string> {
  return {
    BUGLE_DATABASE_URL: databaseUrl,
    BUGLE_PORT: '0',
    BUGLE_RATE_LIMITS: 'off',
    BUGLE_METRICS_TOKEN: METRICS_TOKEN,
  }
}

export async function printedAddress(serving: TestProcess): Promise<string> {
  const [, url = ''] = await serving.waitFor(ADDRESS)
  return url
}

export async function printedKeys(serving: TestProcess): Promise<Keys> {
  const [, publicKey = '', secretKey = ''] = await serving.waitFor(PRINTED_KEYS)
  return { publicKey, secretKey }
}
