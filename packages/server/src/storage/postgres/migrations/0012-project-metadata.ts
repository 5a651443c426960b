import { fillSeenValues } from '../../maintenance/fill-seen-values.ts'

/** The descriptive fields of projects; the versions, builds and branches named in reports, and the related columns of issues. */
export const PROJECT_METADATA = `
  ALTER TABLE projects ADD COLUMN description text, ADD COLUMN website_url text, ADD COLUMN repository_url text;

  ALTER TABLE issues ADD COLUMN last_seen_version text, ADD COLUMN last_seen_build text,
    ADD COLUMN on_default_branch smallint;

  CREATE TABLE seen_values (
    project integer NOT NULL,
    lane smallint NOT NULL,
    -- version, build or branch; a build is a JSON array of its version and its number.
    dimension text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    reports bigint NOT NULL,
    new_issues integer NOT NULL,
    fixed_issues integer NOT NULL,
    regressions bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    -- Whether this entry counts the values that are no longer kept by name.
    includes_rest smallint NOT NULL,
    PRIMARY KEY (project, lane, dimension, value)
  ) WITH (fillfactor = 50);

  -- Where the further reports of an issue came from. What they did not name is empty.
  CREATE TABLE report_sources (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    app_version text COLLATE "C" NOT NULL,
    build_number text COLLATE "C" NOT NULL,
    branch text COLLATE "C" NOT NULL,
    count integer NOT NULL,
    -- Reports that reopened the issue.
    regressions integer NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (project, issue_number, app_version, build_number, branch)
  ) WITH (fillfactor = 50);
  CREATE INDEX report_sources_by_version ON report_sources (project, app_version);
  CREATE INDEX report_sources_by_branch ON report_sources (project, branch);

  ${fillSeenValues().postgres.join(';\n  ')};
`
