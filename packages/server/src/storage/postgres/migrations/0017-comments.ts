import { vacuumAfter } from './vacuum-after.ts'

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
