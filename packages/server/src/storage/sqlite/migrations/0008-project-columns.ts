/** The column that names a row's project has the same name as in PostgreSQL. */
export const PROJECT_COLUMNS = `
  ALTER TABLE keys RENAME COLUMN project_seq TO project;
  ALTER TABLE submissions RENAME COLUMN project_seq TO project;
  ALTER TABLE counters RENAME COLUMN project_seq TO project;
`
