import type { MigrationStep } from '../storage.ts'

/** A step of the schema, from one version to the next. */
export interface SchemaStep {
  readonly sql: string
  /** Whether servers of the previous release may keep running on the database once it has taken this step. */
  readonly allowsPrevious: boolean
}

export function excludesPrevious(sql: string): SchemaStep {
  return { sql, allowsPrevious: false }
}

export function allowsPrevious(sql: string): SchemaStep {
  return { sql, allowsPrevious: true }
}

/** The oldest schema version whose release may use a database that has taken all these steps. */
export function oldestUserOf(steps: readonly SchemaStep[]): number {
  return 1 + steps.findLastIndex((step) => !step.allowsPrevious)
}

/** What a caller that opens a database may do to its schema, if it is not the one of this release. */
export type SchemaRight =
  /** Nothing: there must be one. */
  | 'use'
  /** Create it in an empty database. */
  | 'create'
  /** Create or migrate it, unless servers are running that could not go on. */
  | 'migrate-if-safe'
  /** Create or migrate it. */
  | 'migrate'

/** The schema of a database is not one that this release can use. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}

/** The error of a command that must not create a database. */
export function missingDatabase(): Error {
  return new Error(
    'There is no Bugle database. Check BUGLE_DATABASE_URL; "bugle serve" and "bugle migrate" create one.',
  )
}

/** For a database that this release has to migrate first. */
export function olderSchema(found: number, known: number): string {
  return `The database has schema version ${found}, but this release of Bugle needs ${known}. Run "bugle migrate", or start the server, which migrates it too.`
}

/** For a database that a newer release has migrated. */
export function newerSchema(found: number): string {
  return `The database has schema version ${found}, from a newer release of Bugle that is incompatible with this one. Run that release or a newer one.`
}

/** For a server that is running on a database whose schema was replaced by an earlier one, or removed. */
export function replacedSchema(found: number, known: number): string {
  if (found === 0)
    return 'The database has no Bugle schema. It was removed while the server was running, or is being restored; the server continues once it is complete.'
  return `The database has schema version ${found}, but this server needs ${known}. An earlier database was restored while the server was running; restart the server, which migrates it.`
}

/** The step that brings a database to a version, among those from its first version to the last. */
export function stepTo(version: number, from: number, last: number): MigrationStep {
  return { step: version - from, steps: last - from, toVersion: version }
}

/** For people who wait for it. */
export function migrationText({ step, steps, toVersion }: MigrationStep): string {
  return `Migrating the database to schema version ${toVersion}, step ${step} of ${steps}. This can take minutes for a large database; do not interrupt it.`
}
