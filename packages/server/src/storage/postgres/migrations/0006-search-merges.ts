/**
 * What was written last waits in a list until it is merged into the index. Nodes see to that, beside the writes, after
 * some thousand issues: only if there is more, a write has to do it.
 */
export const SEARCH_MERGES = `
  ALTER INDEX search_by_token SET (gin_pending_list_limit = 2048);
`
