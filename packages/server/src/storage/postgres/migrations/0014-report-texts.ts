import { fillReports } from '../../maintenance/fill-reports.ts'
import { vacuumAfter } from './vacuum-after.ts'

/** Every report has an id, and keeps what its reporter wrote. */
export const REPORT_TEXTS = `
  -- NULL in these columns of a count: zero. An issue's title and description are those of its first report until edited_at.
  ALTER TABLE issues ADD COLUMN deleted_reports integer, ADD COLUMN edited_at bigint, ADD COLUMN report_words integer;

  -- text_number says which text of the issue it has; NULL: it was stored before texts were; 0: its text was redacted.
  ALTER TABLE reports ADD COLUMN id uuid, ADD COLUMN text_number integer, ADD COLUMN metadata text,
    ADD COLUMN sdk_name text, ADD COLUMN sdk_version text;

  -- NULL: the same as report_count. It is another after reports were deleted.
  ALTER TABLE submissions ADD COLUMN report_number integer;
  -- When the report arrived, once it is deleted.
  ALTER TABLE submissions ADD COLUMN received_at bigint;

  -- The distinct texts of an issue's reports. The first one is here only after the issue was edited.
  CREATE TABLE report_texts (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    number integer NOT NULL,
    -- The first report that had it.
    report_number integer NOT NULL,
    -- How many words of it are searched; 0: none.
    words integer NOT NULL,
    hash bytea NOT NULL,
    -- NULL: redacted.
    title text,
    description text,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX report_texts_by_hash ON report_texts (project, issue_number, hash);
  ${vacuumAfter(['report_texts'], { rows: 5_000, share: 0.05 })}

  ${fillReports(null).postgres.join(';\n  ')};
  -- The project comes last, as in the key of the search table: otherwise PostgreSQL could read all reports of a project with it.
  CREATE UNIQUE INDEX reports_by_id ON reports (id, project);
  -- Whether another report has the text of a deleted one. The first text is that of the first report, which stays.
  CREATE INDEX reports_by_text ON reports (project, issue_number, text_number, number) WHERE text_number > 1;
`
