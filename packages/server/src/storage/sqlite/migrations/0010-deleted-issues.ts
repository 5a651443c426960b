/** Deleted issues that have left rows behind, which are removed in steps. */
export const DELETED_ISSUES = `
  CREATE TABLE deleted_issues (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- An issue's first event is found only by its position.
    created_position INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
`
