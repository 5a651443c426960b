import type { MigrationStep } from '../storage.ts'

/** The error of a command that must not create a database. */
export function missingDatabase(): Error {
  return new Error(
    'There is no Bugle database. Check BUGLE_DATABASE_URL; "bugle serve" and "bugle migrate" create one.',
  )
}

/** The error for a database that a newer release has migrated. */
export function newerSchema(found: number, known: number): Error {
  return new Error(
    `The database has schema version ${found}, but this release of Bugle supports only ${known}. Run the release that last used it, or a newer one.`,
  )
}

/** The step that brings a database to a version, among those from its first version to the last. */
export function stepTo(version: number, from: number, last: number): MigrationStep {
  return { step: version - from, steps: last - from, toVersion: version }
}

/** For people who wait for it. */
export function migrationText({ step, steps, toVersion }: MigrationStep): string {
  return `Migrating the database to schema version ${toVersion}, step ${step} of ${steps}. This can take minutes for a large database; do not interrupt it.`
}
