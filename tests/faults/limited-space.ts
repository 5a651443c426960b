import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { startServerOn, type TestServer } from '../support/start-server.ts'

/** A server whose disk is about to be full. */
export interface CrampedServer {
  readonly server: TestServer
  /** Stops the server cleanly, and returns the path of its database. */
  end(): Promise<string>
  /** How the space is limited, as text. */
  readonly way: string
  /** Uses up the rest. */
  fill(): void
  /** Frees space. */
  free(): void
}

/** Space for a few thousand reports. */
const FREE_KIB = 6_000
const BALLAST_KIB = 64_000

/**
 * Serves a database in a small file system that only the server sees, which needs no privileges if user
 * namespaces are allowed; otherwise the file size of the server is limited.
 */
export function startCramped(folder: string): Promise<CrampedServer> {
  const { status } = spawnSync('unshare', ['--map-root-user', '--mount', 'true'])
  return status === 0 ? inSmallFileSystem(folder) : withSmallFiles(folder)
}

async function inSmallFileSystem(folder: string): Promise<CrampedServer> {
  const place = join(folder, 'small')
  mkdirSync(place)
  const mount = `mount -t tmpfs -o size=${FREE_KIB + BALLAST_KIB}k bugle "$0" && exec "$@"`
  const wrapper = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, place]
  const server = await startServerOn(`sqlite:${join(place, 'bugle.db')}`, {}, wrapper)
  // The process has its own mount namespace, which is accessible through this path.
  const asSeen = join('/proc', String(server.pid), 'root', place)
  const ballast = join(asSeen, 'ballast')
  writeFileSync(ballast, Buffer.alloc(BALLAST_KIB * 1_024))
  return {
    server,
    way: 'a small file system',
    fill: () => fillDisk(join(asSeen, 'more ballast')),
    free() {
      rmSync(ballast)
      rmSync(join(asSeen, 'more ballast'), { force: true })
    },
    async end() {
      // As long as it is open, the file system outlives the process.
      const hold = openSync(asSeen, 'r')
      await server.end('SIGTERM')
      const rescued = join(folder, 'rescued.db')
      copyFileSync(`/proc/self/fd/${hold}/bugle.db`, rescued)
      closeSync(hold)
      return `sqlite:${rescued}`
    },
  }
}

/** Files of the server cannot grow beyond a size: the disk is full in the middle of a file, however much is free. */
export async function withSmallFiles(folder: string): Promise<CrampedServer> {
  const databaseUrl = `sqlite:${join(folder, 'bugle.db')}`
  const server = await startServerOn(databaseUrl)
  const limit = (bytes: string) => {
    const { status, stderr, error } = spawnSync(
      'prlimit',
      ['--pid', String(server.pid), `--fsize=${bytes}:`],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`the size of files could not be limited. ${stderr}`, { cause: error })
  }
  limit(String(FREE_KIB * 1_024))
  return {
    server,
    way: 'small files',
    fill: () => limit('0'),
    free: () => limit('unlimited'),
    async end() {
      await server.end('SIGTERM')
      return databaseUrl
    },
  }
}

/** Writes to a file until there is no space left. */
export function fillDisk(path: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT)
  try {
    for (;;) writeSync(file, Buffer.alloc(CHUNK_BYTES))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

const CHUNK_BYTES = 4_096
