/** What the team has published about issues. */
export const KNOWN_ISSUES = `
  -- NULL: the issue is not published.
  ALTER TABLE issues ADD COLUMN known_title TEXT;
  ALTER TABLE issues ADD COLUMN known_text TEXT;
  -- A search reads nothing but this index to find the titles that match.
  CREATE INDEX issues_known ON issues (row >> 32, row, known_title) WHERE known_title IS NOT NULL;
`
