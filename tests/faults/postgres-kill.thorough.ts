import { test } from 'vitest'
import { startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { addDatabase } from './databases.ts'
import { PATIENT, rounds } from './effort.ts'
import { endAgainAndAgain } from './rounds.ts'

test(
  'PostgreSQL: a server that is repeatedly killed under load neither loses nor duplicates reports',
  PATIENT,
  async () => {
    const postgres = await startPostgres()
    try {
      await endAgainAndAgain({
        name: 'PostgreSQL',
        databaseUrl: await addDatabase(postgres),
        kills: rounds({ short: 1, long: 30 }),
        stops: rounds({ short: 1, long: 5 }),
      })
    } finally {
      await postgres.stop()
    }
  },
)
