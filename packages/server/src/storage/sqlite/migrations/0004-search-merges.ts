/** The full-text index is made in steps of a thousand issues; merged eight at a time instead of four, each is rewritten less often. */
export const SEARCH_MERGES = `
  INSERT INTO search (search, rank) VALUES ('automerge', 8);
`
