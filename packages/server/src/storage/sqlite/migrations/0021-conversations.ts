/** Replies to reporters, and their messages. */
export const CONVERSATIONS = `
  -- The hash of the reporter's secret, in hexadecimal.
  ALTER TABLE issues ADD COLUMN reporter_key_hash TEXT;
  ALTER TABLE reports ADD COLUMN reporter_key_hash TEXT;
  CREATE INDEX issues_by_reporter_key ON issues (row >> 32, reporter_key_hash, row)
    WHERE reporter_key_hash IS NOT NULL;
  -- Both have every column that is read: to reach a row, SQLite reads others with their metadata, which may be large.
  CREATE INDEX reports_by_reporter_key ON reports (issue_row >> 32, reporter_key_hash, received_at, id, text_number)
    WHERE reporter_key_hash IS NOT NULL;
  CREATE INDEX reports_with_reporter_key ON reports (issue_row, received_at, reporter_key_hash)
    WHERE reporter_key_hash IS NOT NULL;

  -- Messages from reporters among all comments that there ever were; NULL: none.
  ALTER TABLE issues ADD COLUMN message_count INTEGER;
  -- Who is expected to write next.
  ALTER TABLE issues ADD COLUMN conversation TEXT;

  -- The report that a reply or a message is about; NULL: all, or none.
  ALTER TABLE comments ADD COLUMN report_number INTEGER;
  -- Of a reply to all reporters: the last report that the issue had then.
  ALTER TABLE comments ADD COLUMN last_report INTEGER;
  CREATE INDEX comments_to_reporters ON comments (issue_row, number) WHERE audience = 'reporters';
  CREATE INDEX comments_of_report ON comments (issue_row, report_number, number) WHERE report_number IS NOT NULL;

  CREATE TABLE read_marks (
    issue_row INTEGER NOT NULL,
    report_number INTEGER NOT NULL,
    comment_number INTEGER NOT NULL,
    PRIMARY KEY (issue_row, report_number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE blocked_reporters (
    project INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    -- The lane of the issue that the reporter was blocked on.
    lane INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (project, key_hash, lane)
  ) STRICT, WITHOUT ROWID;
`
