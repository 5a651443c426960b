/** Which version's regression waits to be confirmed, and whether any report that joined an issue came from a version. */
export const UNCONFIRMED_REGRESSIONS = `
  ALTER TABLE issues ADD COLUMN unconfirmed_version TEXT;
  CREATE INDEX reports_by_version ON reports (issue_row >> 32, app_version) WHERE app_version IS NOT NULL;
`
