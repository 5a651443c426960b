/** The history of an issue without its further reports, of which there may be any number. Neither submitting nor reporting again writes to it. */
export const ISSUE_HISTORY = `
  CREATE INDEX events_of_history ON events (issue_row)
    WHERE type <> 'issue.created' AND type <> 'issue.reported';
`
