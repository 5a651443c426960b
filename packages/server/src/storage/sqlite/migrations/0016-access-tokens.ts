/** Personal access tokens. */
export const ACCESS_TOKENS = `
  CREATE TABLE access_tokens (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    ending TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX access_tokens_by_user ON access_tokens (user_id, id);
`
