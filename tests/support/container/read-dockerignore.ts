import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** Whether a path, relative to the folder of the file, is ignored: the last matching pattern decides. */
export function readDockerignore(file: string): (path: string) => boolean {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isLeftOut: !line.startsWith('!'), glob: line.replace(/^!/, '') }))
  return (path) => patterns.findLast(({ glob }) => matchesGlob(path, glob))?.isLeftOut ?? false
}
