import { fillReports } from '../../maintenance/fill-reports.ts'

/** Every report has an id, and keeps what its reporter wrote. */
export const REPORT_TEXTS = `
  -- NULL in these columns of a count: zero.
  ALTER TABLE issues ADD COLUMN deleted_reports INTEGER;
  -- When the title or the description was first changed. Until then, they are the text of the first report.
  ALTER TABLE issues ADD COLUMN edited_at INTEGER;
  -- How many words of its report texts the issue is to be found by, and how many the full-text index has.
  ALTER TABLE issues ADD COLUMN report_words INTEGER;
  ALTER TABLE issues ADD COLUMN indexed_words INTEGER;
  CREATE INDEX issues_to_index ON issues (row) WHERE report_words IS NOT indexed_words;

  ALTER TABLE reports ADD COLUMN id BLOB;
  -- Which text of the issue it has; NULL: it was stored before texts were; 0: its text was redacted.
  ALTER TABLE reports ADD COLUMN text_number INTEGER;
  ALTER TABLE reports ADD COLUMN metadata TEXT;
  ALTER TABLE reports ADD COLUMN sdk_name TEXT;
  ALTER TABLE reports ADD COLUMN sdk_version TEXT;

  -- NULL: the same as report_count. It is another after reports were deleted.
  ALTER TABLE submissions ADD COLUMN report_number INTEGER;
  -- When the report arrived, once it is deleted.
  ALTER TABLE submissions ADD COLUMN received_at INTEGER;

  -- The distinct texts of an issue's reports. The first one is here only after the issue was edited.
  CREATE TABLE report_texts (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- The first report that had it.
    report_number INTEGER NOT NULL,
    -- How many words of it are searched; 0: none.
    words INTEGER NOT NULL,
    hash BLOB NOT NULL,
    -- NULL: redacted.
    title TEXT,
    description TEXT,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX report_texts_by_hash ON report_texts (issue_row, hash);

  ${fillReports(null).sqlite.join(';\n  ')};
  CREATE UNIQUE INDEX reports_by_id ON reports (id);
  -- Whether another report has the text of a deleted one. The first text is that of the first report, which stays.
  CREATE INDEX reports_by_text ON reports (issue_row, text_number) WHERE text_number > 1;
`
