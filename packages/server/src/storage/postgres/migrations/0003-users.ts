/** People who sign in, and their records. Passwords and tokens are stored only as hashes. */
export const USERS = `
  CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL,
    can_see_security boolean NOT NULL,
    -- A JSON list of ids; NULL: all.
    project_ids text,
    password_hash text,
    created_at bigint NOT NULL
  );

  CREATE TABLE links (
    hash bytea PRIMARY KEY,
    -- NULL: for the first person.
    user_id uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX links_by_user ON links (user_id);

  CREATE TABLE sign_ins (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    hash bytea NOT NULL UNIQUE,
    user_agent text,
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL
  );
  CREATE INDEX sign_ins_by_user ON sign_ins (user_id);

  CREATE TABLE views (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    name text NOT NULL,
    project_id uuid NOT NULL,
    query text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX views_by_user ON views (user_id);
`
