/** What the team has published about issues. */
export const KNOWN_ISSUES = `
  -- NULL: the issue is not published.
  ALTER TABLE issues ADD COLUMN known_title text, ADD COLUMN known_text text;
  -- A search reads all of it. Only this index has the order, so even a plan made for an empty table uses it.
  CREATE INDEX issues_known ON issues (project, (number + 0)) INCLUDE (known_title) WHERE known_title IS NOT NULL;
`
