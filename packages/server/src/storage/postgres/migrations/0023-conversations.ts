import { vacuumAfter } from './vacuum-after.ts'

/** Replies to reporters, and their messages. */
export const CONVERSATIONS = `
  -- The hash of the reporter's secret, in hexadecimal.
  ALTER TABLE issues ADD COLUMN reporter_key_hash text COLLATE "C",
    -- Messages from reporters among all comments that there ever were; NULL: none.
    ADD COLUMN message_count integer,
    -- Who is expected to write next.
    ADD COLUMN conversation text COLLATE "C";
  ALTER TABLE reports ADD COLUMN reporter_key_hash text COLLATE "C";
  CREATE INDEX issues_by_reporter_key ON issues (project, reporter_key_hash, number)
    WHERE reporter_key_hash IS NOT NULL;
  CREATE INDEX reports_by_reporter_key ON reports (project, reporter_key_hash, received_at)
    WHERE reporter_key_hash IS NOT NULL;
  CREATE INDEX reports_with_reporter_key ON reports (project, issue_number, received_at, reporter_key_hash)
    WHERE reporter_key_hash IS NOT NULL;

  -- The report that a reply or a message is about; NULL: all, or none.
  ALTER TABLE comments ADD COLUMN report_number integer,
    -- Of a reply to all reporters: the last report that the issue had then.
    ADD COLUMN last_report integer;
  CREATE INDEX comments_to_reporters ON comments (project, issue_number, number) WHERE audience = 'reporters';
  CREATE INDEX comments_of_report ON comments (project, issue_number, report_number, number)
    WHERE report_number IS NOT NULL;

  CREATE TABLE read_marks (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    report_number integer NOT NULL,
    comment_number integer NOT NULL,
    PRIMARY KEY (project, issue_number, report_number)
  );
  CREATE TABLE blocked_reporters (
    project integer NOT NULL,
    key_hash text COLLATE "C" NOT NULL,
    -- The lane of the issue that the reporter was blocked on.
    lane smallint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (project, key_hash, lane)
  );
  ${vacuumAfter(['read_marks'], { rows: 500, share: 0.02 })}
`
