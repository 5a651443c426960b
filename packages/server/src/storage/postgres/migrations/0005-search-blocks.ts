/**
 * A search asks for some blocks of a project's issues at a time: so many issues share a lexeme, where all of a project
 * did before. It begins with a character that is in no text (U+E000).
 */
export const SEARCH_BLOCKS = `
  UPDATE search s SET tokens =
    ts_delete(s.tokens, ARRAY[chr(57344) || '0.' || s.project, chr(57344) || '1.' || s.project]) ||
    array_to_tsvector(ARRAY[chr(57344) || i.lane || '.' || s.project || '.' || s.number / 16384])
  FROM issues i WHERE i.project = s.project AND i.number = s.number;

  -- The project comes last in this key. Did it come first, PostgreSQL could go through all of a project's entries in it
  -- instead of asking the index on tokens.
  ALTER TABLE search DROP CONSTRAINT search_pkey, ADD PRIMARY KEY (number, project);

  -- What was written last waits in a list that every search reads, and that some write has to sort in: it is kept short.
  ALTER INDEX search_by_token SET (gin_pending_list_limit = 256);

  -- With the position, what is due comes out of the index in the order in which it is handed out.
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (project, webhook, next_attempt_at, position) WHERE status = 'pending';
`
