import { spawnSync } from 'node:child_process'

export interface User {
  readonly uid: number
  readonly gid: number
}

/** The user to switch to from root, for tests that root would pass trivially: `nobody`. `undefined` if not root. */
export function findUnprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
