/** Why a database is refused that a newer release has changed. */
export function newerSchema(found: number, known: number): Error {
  return new Error(
    `The database has schema version ${found}, but this release of Bugle knows only ${known}. Run the release that last used it, or a newer one.`,
  )
}
