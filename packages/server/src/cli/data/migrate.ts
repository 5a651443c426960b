import type { Migration } from '../../storage/storage.ts'
import type { Command } from '../command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Create the database, or migrate it to the schema of this release; "bugle serve" does it too',
  migratesDatabase: true,
  positionals: [],
  options: {},
  async run(_, { withStorage }) {
    const migration = await withStorage(async (storage) => storage.migration)
    const { from, to, copy = null } = migration
    return { json: { from, to, copy }, text: outcomeText(migration) }
  },
}

function outcomeText({ from, to, copy }: Migration): string {
  if (from === to) return `The database is up to date: schema version ${to}.`
  const migrated = `Migrated the schema from version ${from} to ${to}.`
  return copy === undefined
    ? migrated
    : `${migrated} The database as it was before is in ${copy}; delete it when you no longer need it.`
}
