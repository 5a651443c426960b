import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: "Bring the database to this release's schema; serve does it too",
  mayCreateDatabase: true,
  positionals: [],
  options: {},
  async run(_, { withStorage }) {
    const { from, to } = await withStorage(async (storage) => storage.migration)
    const text =
      from === to
        ? `The database is up to date: schema version ${to}.`
        : `Migrated from version ${from} to ${to}.`
    return { json: { from, to }, text }
  },
}
