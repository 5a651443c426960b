import { vacuumAfter } from './vacuum-after.ts'

/** Who works on an issue. */
const ASSIGNEES = `
  -- The id of a person as text, as in the counters.
  ALTER TABLE issues ADD COLUMN assignee_id text COLLATE "C";
  CREATE INDEX issues_by_assignee ON issues (assignee_id, project, lane, number) WHERE assignee_id IS NOT NULL;

  -- People whose assignments are to be checked. A check that is requested again while one is under way is another round.
  CREATE TABLE unassignments (
    user_id text COLLATE "C" PRIMARY KEY,
    round integer NOT NULL
  );
`

/** The files that reports declare, those that have arrived, and their bytes unless they are kept elsewhere. */
const ATTACHMENTS = `
  ALTER TABLE projects ADD COLUMN file_bytes bigint NOT NULL DEFAULT 0;

  CREATE TABLE attachments (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    -- The number of the report × 16 + the place in its declaration.
    number bigint NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    declared_type text NOT NULL,
    size bigint NOT NULL,
    received_at bigint,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX attachments_by_id ON attachments (project, id);
  CREATE INDEX attachments_by_digest ON attachments (project, digest) WHERE received_at IS NOT NULL;
  -- Files that were declared and never arrived are not in it: there may be any number of those.
  CREATE INDEX received_attachments ON attachments (project, issue_number, number) WHERE received_at IS NOT NULL;

  CREATE TABLE files (
    project integer NOT NULL,
    digest bytea NOT NULL,
    -- Its name in the store.
    object text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    content_type text,
    stored_at bigint NOT NULL,
    -- Whether a report that referred to it was deleted since it was last examined.
    is_suspect smallint NOT NULL,
    PRIMARY KEY (project, digest)
  );
  CREATE UNIQUE INDEX files_by_object ON files (project, object);
  CREATE INDEX suspect_files ON files (project) WHERE is_suspect = 1;

  -- Files that are no longer used and still have to be removed from the store.
  CREATE TABLE removed_files (object text COLLATE "C" NOT NULL PRIMARY KEY);

  CREATE TABLE file_chunks (
    -- From the name of the file, to distribute the table by.
    project integer NOT NULL,
    object text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    stored_at bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (project, object, number)
  );
  -- Most files are compressed already.
  ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ${vacuumAfter(['attachments', 'files', 'removed_files', 'file_chunks'], { rows: 500, share: 0.02 })}
`

/** Labels of a project, and the issues that have them. */
const LABELS = `
  ALTER TABLE projects ADD COLUMN last_label_number integer NOT NULL DEFAULT 0;
  CREATE TABLE labels (
    project integer NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    colour text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (project, number)
  );

  -- Numbers of labels, as \`,3,17,\`; NULL: none.
  ALTER TABLE issues ADD COLUMN labels text COLLATE "C";
  CREATE TABLE issue_labels (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    label integer NOT NULL,
    lane smallint NOT NULL,
    PRIMARY KEY (project, issue_number, label)
  );
  CREATE INDEX issue_labels_by_label ON issue_labels (project, lane, label, issue_number);
  ${vacuumAfter(['issue_labels'], { rows: 5_000, share: 0.02 })}

  -- Labels that issues may still have.
  CREATE TABLE deleted_labels (
    project integer NOT NULL,
    number integer NOT NULL,
    PRIMARY KEY (project, number)
  );
`

/** One step, because none was released without the others. */
export const TEAM_AND_FILES = ASSIGNEES + ATTACHMENTS + LABELS
