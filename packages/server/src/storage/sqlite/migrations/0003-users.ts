/** People who sign in, and their records. Passwords and tokens are stored only as hashes. */
export const USERS = `
  CREATE TABLE users (
    id BLOB PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    can_see_security INTEGER NOT NULL,
    -- A JSON list of ids; NULL: all.
    project_ids TEXT,
    password_hash TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE links (
    hash BLOB PRIMARY KEY,
    -- NULL: for the first person.
    user_id BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_user ON links (user_id);

  CREATE TABLE sign_ins (
    id BLOB PRIMARY KEY,
    user_id BLOB NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    user_agent TEXT,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sign_ins_by_user ON sign_ins (user_id);

  CREATE TABLE views (
    id BLOB PRIMARY KEY,
    user_id BLOB NOT NULL,
    name TEXT NOT NULL,
    project_id BLOB NOT NULL,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX views_by_user ON views (user_id);
`
