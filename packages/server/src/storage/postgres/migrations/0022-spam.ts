/** Issues that are spam; who sent a report, as a hash with a key that is deleted after a while; and senders that are blocked. */
export const SPAM = `
  ALTER TABLE issues ADD COLUMN spam_at bigint, ADD COLUMN sender text;
  ALTER TABLE reports ADD COLUMN sender text;
  ALTER TABLE search ADD COLUMN is_spam boolean;
  -- With an expression, no other index has its order: lists that leave out spam read one range for each status, whatever the statistics say.
  -- The condition is true for every row, but restricts the index to queries with a status. While the table is empty, PostgreSQL would
  -- otherwise consider it as good as the primary key for a lookup by key, and might keep that plan until the table is large.
  DROP INDEX issues_by_status;
  CREATE INDEX issues_by_status ON issues (project, lane, status, (number + 0)) WHERE status IS NOT NULL;
  CREATE INDEX issues_by_spam ON issues (project, spam_at) WHERE spam_at IS NOT NULL;

  CREATE TABLE sender_keys (
    day text PRIMARY KEY,
    key bytea NOT NULL
  );

  CREATE TABLE blocked_senders (
    project integer NOT NULL,
    sender text COLLATE "C" NOT NULL,
    -- The day of the key that the sender was hashed with.
    day text NOT NULL,
    -- The issue that the sender was blocked with.
    issue_number integer NOT NULL,
    PRIMARY KEY (project, sender)
  );
`
