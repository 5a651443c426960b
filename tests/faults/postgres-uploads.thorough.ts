import { test } from 'vitest'
import { startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { addDatabase } from './databases.ts'
import { PATIENT, rounds } from './effort.ts'
import { killDuringUploads } from './upload-rounds.ts'

test(
  'PostgreSQL: a server that is killed during uploads serves no torn file and loses none',
  PATIENT,
  async () => {
    const postgres = await startPostgres()
    try {
      const databaseUrl = await addDatabase(postgres)
      await killDuringUploads({ name: 'PostgreSQL', databaseUrl, kills: rounds({ short: 1, long: 30 }) })
    } finally {
      await postgres.stop()
    }
  },
)
