import { join } from 'node:path'
import { test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { PATIENT, rounds } from './effort.ts'
import { endAgainAndAgain } from './rounds.ts'

test(
  'SQLite: a server that is repeatedly killed under load neither loses nor duplicates reports',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    await endAgainAndAgain({
      name: 'SQLite',
      databaseUrl: `sqlite:${join(folder.path, 'bugle.db')}`,
      kills: rounds({ short: 2, long: 100 }),
      stops: rounds({ short: 1, long: 10 }),
    })
  },
)
