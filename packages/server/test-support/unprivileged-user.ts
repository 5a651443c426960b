import { spawnSync } from 'node:child_process'

export interface User {
  readonly uid: number
  readonly gid: number
}

/** Who to be where root would prove nothing, or is refused: `nobody`. `undefined` for whoever is not root anyway. */
export function findUnprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
