/**
 * Every lexeme of the full-text index begins with the lane, project and block of its issue, as `0.7.2:crash`: a search
 * reads only entries of its own project, a block of 16,384 issues at a time. The lexeme that named the block before and
 * the border between title and description are gone: a gap in the positions does the same.
 */
export const SEARCH_PREFIXES = `
  DROP INDEX search_by_token;

  UPDATE search s SET tokens = coalesce((
      SELECT string_agg('''' || i.lane || '.' || s.project || '.' || s.number / 16384 || ':' || t.lexeme || '''' ||
        coalesce(':' || array_to_string(t.positions, ','), ''), ' ')
      FROM unnest(s.tokens) t WHERE t.lexeme <> '¦' AND t.lexeme NOT LIKE chr(57344) || '%'
    ), '')::tsvector
  FROM issues i WHERE i.project = s.project AND i.number = s.number;

  CREATE INDEX search_by_token ON search USING gin (tokens) WITH (gin_pending_list_limit = 2048);
`
