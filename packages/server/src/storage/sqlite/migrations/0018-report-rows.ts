/**
 * Reports and their texts are stored in the order of their arrival, with their key in an index. In a table without row ids, a report was
 * inserted between those of other issues, and moved rows of several hundred bytes.
 */
export const REPORT_ROWS = `
  CREATE TABLE new_reports (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    occurred_at INTEGER,
    app_version TEXT,
    build_number TEXT,
    os_version TEXT,
    device_model TEXT,
    platform TEXT,
    branch TEXT,
    submission_id TEXT,
    id BLOB,
    -- Which text of the issue it has; NULL: it was stored before texts were; 0: its text was redacted.
    text_number INTEGER,
    metadata TEXT,
    sdk_name TEXT,
    sdk_version TEXT,
    context TEXT,
    reporter TEXT,
    PRIMARY KEY (issue_row, number)
  ) STRICT;
  INSERT INTO new_reports
    SELECT issue_row, number, received_at, occurred_at, app_version, build_number, os_version, device_model, platform,
      branch, submission_id, id, text_number, metadata, sdk_name, sdk_version, context, reporter
    FROM reports;
  DROP TABLE reports;
  ALTER TABLE new_reports RENAME TO reports;
  CREATE UNIQUE INDEX reports_by_id ON reports (id);
  -- Whether another report has the text of a deleted one. The first text is that of the first report, which stays.
  CREATE INDEX reports_by_text ON reports (issue_row, text_number) WHERE text_number > 1;

  CREATE TABLE new_report_texts (
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
  ) STRICT;
  INSERT INTO new_report_texts
    SELECT issue_row, number, report_number, words, hash, title, description FROM report_texts;
  DROP TABLE report_texts;
  ALTER TABLE new_report_texts RENAME TO report_texts;
  CREATE UNIQUE INDEX report_texts_by_hash ON report_texts (issue_row, hash);
`
