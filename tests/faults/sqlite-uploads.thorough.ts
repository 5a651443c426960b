import { join } from 'node:path'
import { test } from 'vitest'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { PATIENT, rounds } from './effort.ts'
import { killDuringUploads } from './upload-rounds.ts'

test(
  'SQLite: a server that is killed during uploads serves no torn file and loses none',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
    await killDuringUploads({ name: 'SQLite', databaseUrl, kills: rounds({ short: 3, long: 100 }) })
  },
)
