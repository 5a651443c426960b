import { vacuumAfter } from './vacuum-after.ts'

const HOT_TABLES = ['project_heads', 'added_counts', 'added_seen_values']

/** Projects with their last numbers, of which `heads` returns at most one row for a project `p`. */
export function currentProjects(heads: string): string {
  return `VIEW current_projects AS
    SELECT p.seq, p.id, p.ordinal, p.slug, p.import_slug, p.name, p.is_public, p.default_branch, p.created_at, p.description,
      p.website_url, p.repository_url, p.sdk_config, p.file_bytes, p.last_webhook_number, p.last_label_number,
      p.expired_position, p.expired_open_position,
      coalesce(h.last_issue_number, p.last_issue_number) AS last_issue_number,
      coalesce(h.last_event_position, p.last_event_position) AS last_event_position,
      coalesce(h.last_open_position, p.last_open_position) AS last_open_position
    FROM projects p LEFT JOIN LATERAL ${heads} h ON TRUE`
}

/**
 * What every commit of a project writes again: its last numbers, and what it adds to counters. While a snapshot is open, PostgreSQL keeps all
 * versions of a row, and every update has to skip them. Therefore the key of these rows includes a generation, which
 * ends after a limited number of commits: a row has hardly more versions than that. Readers use the views.
 */
export const PROJECT_HEADS = `
  -- A project without a row has the numbers in projects.
  CREATE TABLE project_heads (
    project integer NOT NULL,
    generation integer NOT NULL,
    -- In this generation.
    commits integer NOT NULL,
    last_issue_number integer NOT NULL,
    last_event_position bigint NOT NULL,
    last_open_position bigint NOT NULL,
    PRIMARY KEY (project, generation)
  ) WITH (fillfactor = 50);

  CREATE TABLE added_counts (
    project integer NOT NULL,
    generation integer NOT NULL,
    lane smallint NOT NULL,
    dimension text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (project, generation, lane, dimension, value)
  ) WITH (fillfactor = 50);

  CREATE TABLE added_seen_values (
    project integer NOT NULL,
    generation integer NOT NULL,
    lane smallint NOT NULL,
    dimension text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    reports bigint NOT NULL,
    new_issues integer NOT NULL,
    fixed_issues integer NOT NULL,
    regressions bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (project, generation, lane, dimension, value)
  ) WITH (fillfactor = 50);

  CREATE ${currentProjects('(SELECT * FROM project_heads WHERE project = p.seq ORDER BY generation DESC LIMIT 1)')};

  -- A counter may have several rows. To add up some of them, this is faster than the other view.
  CREATE VIEW current_counts AS
    SELECT project, lane, dimension, value, count FROM counters
    UNION ALL SELECT project, lane, dimension, value, count FROM added_counts;
  CREATE VIEW current_counters AS
    SELECT project, lane, dimension, value, sum(count)::bigint AS count FROM current_counts
    GROUP BY project, lane, dimension, value;

  CREATE VIEW current_seen_values AS
    SELECT project, lane, dimension, value, sum(reports)::bigint AS reports, sum(new_issues)::integer AS new_issues,
      sum(fixed_issues)::integer AS fixed_issues, sum(regressions)::bigint AS regressions,
      min(first_at) AS first_at, max(last_at) AS last_at, max(includes_rest) AS includes_rest
    FROM (SELECT * FROM seen_values
      UNION ALL SELECT project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, 0
        FROM added_seen_values) v
    GROUP BY project, lane, dimension, value;

  ${vacuumAfter(HOT_TABLES, { rows: 500, share: 0.01 })}
`
