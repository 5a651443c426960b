/** The servers that work on this database. */
export const NODES = `
  CREATE TABLE nodes (
    id uuid PRIMARY KEY,
    -- By the clock of the database: those of the nodes may differ.
    seen_at timestamptz NOT NULL
  );
`
