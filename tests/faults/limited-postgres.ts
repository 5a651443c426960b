import { spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { findUnprivilegedUser } from '../../packages/server/test-support/unprivileged-user.ts'
import { fillDisk } from './limited-space.ts'

/** A PostgreSQL whose tables are on a small disk. Its log is on another one: if that were full, PostgreSQL would stop. */
export interface CrampedPostgres {
  readonly postgres: PostgresServer
  /** Fills the disk. */
  fill(): void
  /** Frees the space. */
  free(): void
}

const TABLES_KIB = 80_000

/** Whether this machine allows mounting a file system that only the server sees. */
export function canLimitPostgres(): boolean {
  const script = ['--map-root-user', '--mount', 'unshare', '--map-user=1000', '--map-group=1000', 'true']
  return spawnSync('unshare', script, { ...findUnprivilegedUser() }).status === 0
}

export async function startCrampedPostgres(): Promise<CrampedPostgres> {
  // The server refuses to run as root, so it switches to another user after the file system is mounted.
  const script = `cp -a "$0" "$0.copy" && mount -t tmpfs -o size=${TABLES_KIB}k,mode=700 bugle "$0" &&
    cp -a "$0.copy/." "$0/" && : > "$0/ballast" && chmod 666 "$0/ballast" && exec unshare --map-user=1000 --map-group=1000 "$@"`
  const wrapper = (dataFolder: string) => [
    ...['unshare', '--map-root-user', '--mount', 'sh', '-c', script],
    join(dataFolder, 'base'),
  ]
  const postgres = await startPostgres({ wrapper })
  // Created by the script, because files cannot be created from outside.
  const ballast = join('/proc', String(postgres.pid), 'root', postgres.dataFolder, 'base/ballast')
  return {
    postgres,
    fill: () => fillDisk(ballast),
    free: () => truncateSync(ballast),
  }
}
