import type { Command } from '../command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrate the database to the schema of this release; "bugle serve" does it too',
  mayCreateDatabase: true,
  positionals: [],
  options: {},
  async run(_, { withStorage }) {
    const { from, to } = await withStorage(async (storage) => storage.migration)
    const text =
      from === to
        ? `The database is up to date: schema version ${to}.`
        : `Migrated the schema from version ${from} to ${to}.`
    return { json: { from, to }, text }
  },
}
