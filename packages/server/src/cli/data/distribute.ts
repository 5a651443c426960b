import { type DistributionOutcome, distributeDatabase } from '../../storage/open-storage.ts'
import { type Command, CommandError } from '../command.ts'

const REFUSALS: Readonly<Record<Exclude<DistributionOutcome, 'distributed'>, string>> = {
  sqlite: 'only a PostgreSQL database with Citus can be distributed, and this one is SQLite',
  'not-migrated': 'there is no Bugle database; "bugle migrate" creates one',
  'no-citus': 'Citus is not installed in this database; CREATE EXTENSION citus installs it',
  'already-distributed': 'all tables are already distributed',
}

/** Distributes the tables over the nodes of a Citus cluster. */
export const distributeCommand: Command = {
  name: 'cluster distribute',
  summary: 'Distribute the tables by project over a Citus cluster (experimental)',
  positionals: [],
  options: {},
  note: 'Stop all servers first. Clusters are not supported yet: docs/scaling.md describes what has been tried.',
  async run(_, { config, terminal }) {
    const tables: string[] = []
    const outcome = await distributeDatabase(config.databaseUrl, (table, column) => {
      tables.push(table)
      terminal.announce(`${table}: distributed by ${column}`)
    })
    if (outcome !== 'distributed') throw new CommandError(REFUSALS[outcome])
    return {
      json: { tables },
      text: `Distributed ${tables.length} tables. The others stay on the coordinator.`,
    }
  },
}
