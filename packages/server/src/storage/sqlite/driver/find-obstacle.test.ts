import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { findUnprivilegedUser } from '../../../../test-support/unprivileged-user.ts'
import { openStorageForCommand } from '../../open-storage.ts'
import { findObstacle } from './find-obstacle.ts'

test('names the folder or file that prevents opening, if there is one', async () => {
  using folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  mkdirSync(at('folder'))
  writeFileSync(at('file'), '')
  const cases = [
    [at('folder'), `${at('folder')} is a folder: set BUGLE_DATABASE_URL to a file in it`],
    [at('file/new/bugle.db'), `${at('file')} is not a folder: set BUGLE_DATABASE_URL to a file in a folder.`],
  ] as const
  for (const [path, sentence] of cases) {
    expect(findObstacle(path)).toContain(sentence)
    await expect(openStorageForCommand(`sqlite:${path}`)).rejects.toThrow(sentence)
  }
  expect(findObstacle(at('new/folder/bugle.db'))).toBeUndefined()
  expect(findObstacle(at('file'))).toBeUndefined()
})

test.runIf(process.platform !== 'win32')('names what is not writable', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  writeFileSync(path, '', { mode: 0o444 })
  chmodSync(folder.path, 0o755)
  expect(obstacleForStrangers(path)).toContain(`This account may not write to ${folder.path}:`)
  chmodSync(folder.path, 0o777)
  expect(obstacleForStrangers(path)).toContain(`This account may not write to ${path}:`)
})

/** Root may write anywhere, so the test switches to another user, but only at this point, because other users may not have access to the source folder. */
function obstacleForStrangers(path: string): string {
  const stranger = findUnprivilegedUser()
  const script = [
    `import { findObstacle } from '${new URL('find-obstacle.ts', import.meta.url)}'`,
    stranger && `process.setgid(${stranger.gid});process.setuid(${stranger.uid})`,
    'console.log(findObstacle(process.argv[1]))',
  ].join(';')
  return spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' }).stdout
}
