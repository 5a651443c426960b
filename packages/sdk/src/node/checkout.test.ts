import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test-support/temporary-folder.ts'
import { readCheckout } from './checkout.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

const CASES: readonly [name: string, files: Record<string, string>, expected: object][] = [
  [
    'a branch',
    { '.git/HEAD': 'ref: refs/heads/release/2.4\n', '.git/refs/heads/release/2.4': `${COMMIT}\n` },
    { branch: 'release/2.4', commit: '01234567' },
  ],
  [
    'a packed branch',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack-refs\n${COMMIT} refs/heads/main\n` },
    { branch: 'main', commit: '01234567' },
  ],
  ['a detached head', { '.git/HEAD': `${COMMIT}\n` }, { commit: '01234567' }],
  [
    'a worktree',
    {
      '.git': 'gitdir: elsewhere/worktrees/w\n',
      'elsewhere/worktrees/w/HEAD': 'ref: refs/heads/fix\n',
      'elsewhere/worktrees/w/commondir': '../..\n',
      'elsewhere/refs/heads/fix': `${COMMIT}\n`,
    },
    { branch: 'fix', commit: '01234567' },
  ],
]

test.each(CASES)('%s is read from the folder of the script upwards', (_, files, expected) => {
  using folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text)
  }
  const below = join(folder.path, 'src/deep')
  mkdirSync(below, { recursive: true })
  expect(readCheckout(below)).toEqual(expected)
})
