import { vacuumAfter } from './vacuum-after.ts'

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

/** What the team writes about an issue. */
export const COMMENTS = `
  CREATE TABLE comments (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    number integer NOT NULL,
    -- Chosen by the client.
    id text COLLATE "C" NOT NULL,
    author text COLLATE "C",
    audience text COLLATE "C" NOT NULL,
    -- NULL: deleted. The row stays, so that the id is not reused.
    text text,
    -- JSON; NULL: none.
    mentions text,
    -- Of what was first submitted under the id.
    content_hash bytea,
    created_at bigint NOT NULL,
    edited_at bigint,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX comments_by_id ON comments (project, issue_number, id);
  ${vacuumAfter(['comments'], { rows: 500, share: 0.02 })}
  -- Without deleted ones; NULL: none.
  ALTER TABLE issues ADD COLUMN comment_count integer;
`
