/** What was changed in the settings, and by whom. */
export const AUDIT_LOG = `
  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    at bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    actor_name text,
    action text COLLATE "C" NOT NULL,
    project_id uuid,
    project_slug text,
    subject text COLLATE "C",
    subject_name text,
    changes text NOT NULL,
    lane smallint NOT NULL
  );
  CREATE INDEX audit_log_by_actor ON audit_log (actor, id);
  CREATE INDEX audit_log_by_action ON audit_log (action, id);
  CREATE INDEX audit_log_by_project ON audit_log (project_id, id);
  -- What is or was in the security lane.
  CREATE INDEX hidden_audit_subjects ON audit_log (subject, id) WHERE lane = 1;
`
