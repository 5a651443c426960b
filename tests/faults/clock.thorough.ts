import { join } from 'node:path'
import { test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { setClockBack } from './clock.ts'

test('SQLite: a clock that is set back an hour changes no order and loses nothing', async () => {
  using folder = temporaryFolder()
  await setClockBack('SQLite', `sqlite:${join(folder.path, 'bugle.db')}`)
})
