import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** Tells of a path, from the folder of the file, whether it is left out: the last pattern that matches decides. */
export function readDockerignore(file: string): (path: string) => boolean {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isLeftOut: !line.startsWith('!'), glob: line.replace(/^!/, '') }))
  return (path) => patterns.findLast(({ glob }) => matchesGlob(path, glob))?.isLeftOut ?? false
}
