/** Who works on an issue. */
const ASSIGNEES = `
  -- The id of a person as text, as in the counters.
  ALTER TABLE issues ADD COLUMN assignee_id TEXT;
  CREATE INDEX issues_by_assignee ON issues (assignee_id, lane) WHERE assignee_id IS NOT NULL;

  -- People whose assignments are to be checked. A check that is requested again while one is under way is another round.
  CREATE TABLE unassignments (
    user_id TEXT PRIMARY KEY,
    round INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** The files that reports declare, and those that have arrived. */
const ATTACHMENTS = `
  ALTER TABLE projects ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE attachments (
    issue_row INTEGER NOT NULL,
    -- The number of the report × 16 + the place in its declaration.
    number INTEGER NOT NULL,
    id BLOB NOT NULL,
    digest BLOB NOT NULL,
    name TEXT NOT NULL,
    declared_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    received_at INTEGER,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX attachments_by_id ON attachments (id);
  CREATE INDEX attachments_by_digest ON attachments (issue_row >> 32, digest) WHERE received_at IS NOT NULL;
  -- Files that were declared and never arrived are not in it: there may be any number of those.
  CREATE INDEX received_attachments ON attachments (issue_row, number) WHERE received_at IS NOT NULL;

  CREATE TABLE files (
    project INTEGER NOT NULL,
    digest BLOB NOT NULL,
    -- Its name in the store.
    object TEXT NOT NULL,
    size INTEGER NOT NULL,
    content_type TEXT,
    stored_at INTEGER NOT NULL,
    -- Whether a report that referred to it was deleted since it was last examined.
    is_suspect INTEGER NOT NULL,
    PRIMARY KEY (project, digest)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX files_by_object ON files (project, object);
  CREATE INDEX suspect_files ON files (project) WHERE is_suspect = 1;

  -- Files that are no longer used and still have to be removed from the store.
  CREATE TABLE removed_files (object TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** Labels of a project, and the issues that have them. */
const LABELS = `
  ALTER TABLE projects ADD COLUMN last_label_number INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE labels (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    colour TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;

  -- Numbers of labels, as \`,3,17,\`; NULL: none.
  ALTER TABLE issues ADD COLUMN labels TEXT;
  CREATE TABLE issue_labels (
    issue_row INTEGER NOT NULL,
    label INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    PRIMARY KEY (issue_row, label)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX issue_labels_by_label ON issue_labels (issue_row >> 32, lane, label, issue_row);

  -- Labels that issues may still have.
  CREATE TABLE deleted_labels (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
`

/** One step, because none was released without the others. */
export const TEAM_AND_FILES = ASSIGNEES + ATTACHMENTS + LABELS
