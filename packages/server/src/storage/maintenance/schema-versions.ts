/** Why a command that must not create a database does not go on. */
export function missingDatabase(): Error {
  return new Error(
    'There is no Bugle database. Check BUGLE_DATABASE_URL; "bugle serve" and "bugle migrate" create one.',
  )
}

/** Why a database is refused that a newer release has changed. */
export function newerSchema(found: number, known: number): Error {
  return new Error(
    `The database has schema version ${found}, but this release of Bugle knows only ${known}. Run the release that last used it, or a newer one.`,
  )
}
