/** Deleted issues that have left rows behind, which are removed in steps. */
export const DELETED_ISSUES = `
  CREATE TABLE deleted_issues (
    project integer NOT NULL,
    number integer NOT NULL,
    -- An issue's first event is found only by its position.
    created_position bigint NOT NULL,
    PRIMARY KEY (project, number)
  );
`
