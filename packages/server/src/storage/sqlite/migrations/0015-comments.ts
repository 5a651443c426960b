/** What the team writes about an issue. */
export const COMMENTS = `
  CREATE TABLE comments (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- Chosen by the client.
    id TEXT NOT NULL,
    author TEXT,
    audience TEXT NOT NULL,
    -- NULL: deleted. The row stays, so that the id is not reused.
    text TEXT,
    -- JSON; NULL: none.
    mentions TEXT,
    -- Of what was first submitted under the id.
    content_hash BLOB,
    created_at INTEGER NOT NULL,
    edited_at INTEGER,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX comments_by_id ON comments (issue_row, id);
  -- Without deleted ones; NULL: none.
  ALTER TABLE issues ADD COLUMN comment_count INTEGER;
`
