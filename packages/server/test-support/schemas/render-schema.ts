import { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from '../../src/storage/sqlite/migrations/migrations.ts'
import { dumpSchema } from './dump-sqlite.ts'

/** The module with the schema of a new SQLite database: what all migrations lead to. */
export function renderSqliteSchema(): string {
  using db = new DatabaseSync(':memory:')
  for (const { sql } of MIGRATIONS) db.exec(sql)
  const escaped = dumpSchema(db)
    .join('\n')
    .replaceAll(/[`\\]|\$\{/g, '\\$&')
  return `// Generated from migrations.ts by \`npm run docs\`. Edit there, not here.

/** The schema of this release. A new database is created with it, because all migrations would take ten times as long. */
export const CURRENT_SCHEMA = \`
${escaped}
\`
`
}
