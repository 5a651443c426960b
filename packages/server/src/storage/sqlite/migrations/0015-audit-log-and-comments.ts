/** What was changed in the settings, and by whom. */
export const AUDIT_LOG = `
  CREATE TABLE audit_log (
    id BLOB NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    actor_name TEXT,
    action TEXT NOT NULL,
    project_id BLOB,
    project_slug TEXT,
    subject TEXT,
    subject_name TEXT,
    changes TEXT NOT NULL,
    lane INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_log_by_actor ON audit_log (actor, id);
  CREATE INDEX audit_log_by_action ON audit_log (action, id);
  CREATE INDEX audit_log_by_project ON audit_log (project_id, id);
  -- What is or was in the security lane.
  CREATE INDEX hidden_audit_subjects ON audit_log (subject, id) WHERE lane = 1;
`

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
