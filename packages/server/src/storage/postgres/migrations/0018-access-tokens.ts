/** Personal access tokens. */
export const ACCESS_TOKENS = `
  CREATE TABLE access_tokens (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    ending text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint
  );
  CREATE INDEX access_tokens_by_user ON access_tokens (user_id, id);
`
