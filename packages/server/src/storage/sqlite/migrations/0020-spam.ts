/** Issues that are spam; who sent a report, as a hash with a key that is deleted after a while; and senders that are blocked. */
export const SPAM = `
  ALTER TABLE issues ADD COLUMN spam_at INTEGER;
  ALTER TABLE issues ADD COLUMN sender TEXT;
  ALTER TABLE reports ADD COLUMN sender TEXT;
  CREATE INDEX issues_by_spam ON issues (row >> 32, spam_at) WHERE spam_at IS NOT NULL;

  CREATE TABLE sender_keys (
    day TEXT PRIMARY KEY,
    key BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE blocked_senders (
    project INTEGER NOT NULL,
    sender TEXT NOT NULL,
    -- The day of the key that the sender was hashed with.
    day TEXT NOT NULL,
    -- The issue that the sender was blocked with.
    issue_number INTEGER NOT NULL,
    PRIMARY KEY (project, sender)
  ) STRICT, WITHOUT ROWID;
`
