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
