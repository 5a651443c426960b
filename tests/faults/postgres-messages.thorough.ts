import { test } from 'vitest'
import { startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { addDatabase } from './databases.ts'
import { PATIENT, rounds } from './effort.ts'
import { killDuringMessages } from './message-rounds.ts'

test('PostgreSQL: a server that is killed during messages has each of them once', PATIENT, async () => {
  const postgres = await startPostgres()
  try {
    const databaseUrl = await addDatabase(postgres)
    await killDuringMessages({ name: 'PostgreSQL', databaseUrl, kills: rounds({ short: 2, long: 50 }) })
  } finally {
    await postgres.stop()
  }
})
