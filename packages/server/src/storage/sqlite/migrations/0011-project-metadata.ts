import { fillSeenValues } from '../../maintenance/fill-seen-values.ts'

/** The descriptive fields of projects; the versions, builds and branches named in reports, and the related columns of issues. */
export const PROJECT_METADATA = `
  ALTER TABLE projects ADD COLUMN description TEXT;
  ALTER TABLE projects ADD COLUMN website_url TEXT;
  ALTER TABLE projects ADD COLUMN repository_url TEXT;

  ALTER TABLE issues ADD COLUMN last_seen_version TEXT;
  ALTER TABLE issues ADD COLUMN last_seen_build TEXT;
  ALTER TABLE issues ADD COLUMN on_default_branch INTEGER;

  CREATE TABLE seen_values (
    project INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    -- version, build or branch; a build is a JSON array of its version and its number.
    dimension TEXT NOT NULL,
    value TEXT NOT NULL,
    reports INTEGER NOT NULL,
    new_issues INTEGER NOT NULL,
    fixed_issues INTEGER NOT NULL,
    regressions INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    -- Whether this entry counts the values that are no longer kept by name.
    includes_rest INTEGER NOT NULL,
    PRIMARY KEY (project, lane, dimension, value)
  ) STRICT, WITHOUT ROWID;

  -- Where the further reports of an issue came from. What they did not name is empty.
  CREATE TABLE report_sources (
    issue_row INTEGER NOT NULL,
    app_version TEXT NOT NULL,
    build_number TEXT NOT NULL,
    branch TEXT NOT NULL,
    count INTEGER NOT NULL,
    -- Reports that reopened the issue.
    regressions INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (issue_row, app_version, build_number, branch)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX report_sources_by_version ON report_sources (issue_row >> 32, app_version);
  CREATE INDEX report_sources_by_branch ON report_sources (issue_row >> 32, branch);

  ${fillSeenValues().sqlite.join(';\n  ')};
`
