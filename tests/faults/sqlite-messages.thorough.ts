import { join } from 'node:path'
import { test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { PATIENT, rounds } from './effort.ts'
import { killDuringMessages } from './message-rounds.ts'

test('SQLite: a server that is killed during messages has each of them once', PATIENT, async () => {
  using folder = temporaryFolder()
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  await killDuringMessages({ name: 'SQLite', databaseUrl, kills: rounds({ short: 3, long: 50 }) })
})
