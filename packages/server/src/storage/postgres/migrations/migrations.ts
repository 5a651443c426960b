import { fillDailySources, moveBuilds } from '../../maintenance/fill-seen-values.ts'
import { allowsPrevious, excludesPrevious, type SchemaStep } from '../../maintenance/schema-versions.ts'
import { INITIAL } from './0001-initial.ts'
import { USERS } from './0003-users.ts'
import { PROJECT_METADATA } from './0012-project-metadata.ts'
import { REPORT_TEXTS } from './0014-report-texts.ts'
import { TEAM_AND_FILES } from './0016-team-and-files.ts'
import { AUDIT_LOG, COMMENTS } from './0017-audit-log-and-comments.ts'
import { ACCESS_TOKENS } from './0018-access-tokens.ts'
import { SPAM } from './0022-spam.ts'
import { CONVERSATIONS } from './0023-conversations.ts'
import { KNOWN_ISSUES } from './0024-known-issues.ts'
import { PROJECT_HEADS } from './0025-project-heads.ts'
import { vacuumAfter } from './vacuum-after.ts'

/** The state of an unfinished import: its progress, and the future slugs of its projects. */
const IMPORTS = `
  -- A project without a slug is out of service. One that is being imported gets this one when all of it is there.
  ALTER TABLE projects ADD COLUMN import_slug text COLLATE "C";

  CREATE TABLE imports (
    -- There is one import at a time.
    slot smallint PRIMARY KEY CHECK (slot = 1),
    -- Of the file; empty once it is given up.
    digest text NOT NULL,
    -- The lines of the file up to this one are stored.
    line bigint NOT NULL
  );
`

/** The servers that use this database. */
const NODES = `
  CREATE TABLE nodes (
    id uuid PRIMARY KEY,
    -- By the clock of the database: those of the nodes may differ.
    seen_at timestamptz NOT NULL
  );
`

/**
 * A search reads some blocks of a project's issues at a time: the issues of a block share a lexeme, instead
 * of all issues of the project. It starts with a character that occurs in no text (U+E000).
 */
const SEARCH_BLOCKS = `
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

/**
 * New entries are in a pending list until they are merged into the index. Nodes do this in the background
 * after some thousand issues; only if there are more does a write have to do it.
 */
const SEARCH_MERGES = `
  ALTER INDEX search_by_token SET (gin_pending_list_limit = 2048);
`

/**
 * Positions within the open lane, for readers that see nothing else. An event that has none has the same position in
 * both logs: this includes all earlier events, and the open lane continues from the project's last position.
 */
const OPEN_POSITIONS = `
  -- NULL: the same as position. It stays when an event leaves the lane.
  ALTER TABLE events ADD COLUMN open_position bigint;
  CREATE INDEX events_open ON events (project, (coalesce(open_position, position))) WHERE lane = 0;

  ALTER TABLE projects ADD COLUMN last_open_position bigint NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN expired_open_position bigint NOT NULL DEFAULT 0;
  UPDATE projects SET last_open_position = last_event_position, expired_open_position = expired_position;
`

/** The version of an unconfirmed regression, and an index to find whether a report that joined an issue came from a version. */
const UNCONFIRMED_REGRESSIONS = `
  ALTER TABLE issues ADD COLUMN unconfirmed_version text;
  CREATE INDEX reports_by_version ON reports (project, app_version) WHERE app_version IS NOT NULL;
`

/**
 * Every lexeme of the full-text index begins with the lane, project and block of its issue, as `0.7.2:crash`: a search
 * reads only entries of its own project, a block of 16,384 issues at a time. The lexeme that named the block before and
 * the border between title and description are gone: a gap in the positions does the same.
 */
const SEARCH_PREFIXES = `
  DROP INDEX search_by_token;

  UPDATE search s SET tokens = coalesce((
      SELECT string_agg('''' || i.lane || '.' || s.project || '.' || s.number / 16384 || ':' || t.lexeme || '''' ||
        coalesce(':' || array_to_string(t.positions, ','), ''), ' ')
      FROM unnest(s.tokens) t WHERE t.lexeme <> '¦' AND t.lexeme NOT LIKE chr(57344) || '%'
    ), '')::tsvector
  FROM issues i WHERE i.project = s.project AND i.number = s.number;

  CREATE INDEX search_by_token ON search USING gin (tokens) WITH (gin_pending_list_limit = 2048);
`

/** The history of an issue without its further reports, of which there may be any number. Submissions do not write to it. */
const ISSUE_HISTORY = `
  CREATE INDEX events_of_history ON events (project, issue_number, position)
    WHERE type <> 'issue.created' AND type <> 'issue.reported';
`

/** Deleted issues that have left rows behind, which are removed in steps. */
const DELETED_ISSUES = `
  CREATE TABLE deleted_issues (
    project integer NOT NULL,
    number integer NOT NULL,
    -- An issue's first event is found only by its position.
    created_position bigint NOT NULL,
    PRIMARY KEY (project, number)
  );
`

/**
 * By default, a table is vacuumed when a fifth of its rows are dead or new. That is too late for a table with
 * millions of rows, and for rows that are rewritten with every commit, because later reads have to skip their
 * dead versions.
 */
const VACUUM_OPTIONS = `
  ${vacuumAfter(['projects', 'counters', 'seen_values', 'report_sources', 'webhooks', 'nodes'], { rows: 500, share: 0.01 })}
  ${vacuumAfter(['issues', 'deliveries', 'attempts', 'submissions'], { rows: 5_000, share: 0.02 })}
  ${vacuumAfter(['events', 'reports', 'search'], { rows: 5_000, share: 0.05 })}
`

/**
 * The sources of reports are counted by day, for figures over time, and name their lane, so that a search among them does not depend
 * on issues of the other lane. Issues by version are counted once: with the versions.
 */
const DAILY_SOURCES = `
  DELETE FROM counters WHERE dimension = 'app_version';

  DROP TABLE report_sources;
  CREATE TABLE report_sources (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    day text COLLATE "C" NOT NULL,
    app_version text COLLATE "C" NOT NULL,
    build_number text COLLATE "C" NOT NULL,
    branch text COLLATE "C" NOT NULL,
    -- The lane of the issue.
    lane smallint NOT NULL,
    count integer NOT NULL,
    -- Reports that reopened the issue.
    regressions integer NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (project, issue_number, day, app_version, build_number, branch)
  ) WITH (fillfactor = 50);
  CREATE INDEX report_sources_by_version ON report_sources (project, lane, app_version, day);
  CREATE INDEX report_sources_by_branch ON report_sources (project, lane, branch, day);
  ${vacuumAfter(['report_sources'], { rows: 500, share: 0.01 })}

  ${fillDailySources().postgres.join(';\n  ')};
`

/** A report that joins an issue writes less: its source has its day and its version, in the lane of the issue. */
const FEWER_REPORT_ROWS = `
  DROP TABLE report_days;
  DROP INDEX reports_by_version;
`

/** Where a problem happened and who reported it, and the issues that a person has reported. */
const REPORTERS = `
  ALTER TABLE issues ADD COLUMN context text, ADD COLUMN reporter text, ADD COLUMN reporter_count integer;
  ALTER TABLE reports ADD COLUMN context text, ADD COLUMN reporter text;

  CREATE TABLE issue_reporters (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    -- An id or, without one, an email address.
    reporter text COLLATE "C" NOT NULL,
    lane smallint NOT NULL,
    email text COLLATE "C",
    reports integer NOT NULL,
    PRIMARY KEY (project, issue_number, reporter)
  );
  CREATE INDEX issue_reporters_by_reporter ON issue_reporters (project, lane, reporter, issue_number);
  CREATE INDEX issue_reporters_by_email ON issue_reporters (project, lane, email, issue_number)
    WHERE email IS NOT NULL;
  ${vacuumAfter(['issue_reporters'], { rows: 5_000, share: 0.02 })}
`

/** The numbers of deleted projects, by which files that they have left in the store are recognised. */
const DELETED_PROJECTS = `
  CREATE TABLE deleted_projects (ordinal bigint PRIMARY KEY);
`

/** The bulk changes that were made, by the id that the client chose. */
const BULK_CHANGES = `
  CREATE TABLE bulk_changes (
    project integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    matched integer NOT NULL,
    changed integer NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (project, id)
  );
  CREATE INDEX bulk_changes_by_time ON bulk_changes (project, at);
`

/** The builds of the SDK that servers on this database have served. */
const SDK_BUILDS = `
  CREATE TABLE sdk_builds (id text COLLATE "C" PRIMARY KEY, stored_at bigint NOT NULL);
  CREATE TABLE sdk_files (
    build text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (build, name)
  );
`

/** The exceptions of reports, by the text that they are part of. */
const REPORT_EXCEPTIONS = `
  CREATE TABLE report_exceptions (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    -- Of the text.
    number integer NOT NULL,
    -- JSON.
    exception text NOT NULL,
    PRIMARY KEY (project, issue_number, number)
  );
  ${vacuumAfter(['report_exceptions'], { rows: 5_000, share: 0.05 })}
`

/** Issues that are merged into another one. */
const DUPLICATES = `
  ALTER TABLE issues ADD COLUMN duplicate_of text COLLATE "C", ADD COLUMN status_before_merge text,
    ADD COLUMN duplicate_count integer, ADD COLUMN duplicate_reports integer, ADD COLUMN own_reported_at bigint;
  CREATE INDEX issues_by_target ON issues (project, duplicate_of) WHERE duplicate_of IS NOT NULL;
`

/** Saved views that are shared with the people of a project. */
const SHARED_VIEWS = `
  ALTER TABLE views ADD COLUMN is_shared smallint NOT NULL DEFAULT 0;
  CREATE INDEX views_by_project ON views (project_id);
`

const SEEN_COUNTS = 'reports, new_issues, fixed_issues, regressions, first_at, last_at'

/** A build is counted in an entry of its version, so that a report writes one entry fewer. */
const BUILDS = `
  INSERT INTO seen_values AS s (project, lane, dimension, value, ${SEEN_COUNTS}, includes_rest)
    SELECT project, lane, dimension, value, ${SEEN_COUNTS}, 0 FROM added_seen_values
    ON CONFLICT (project, lane, dimension, value) DO UPDATE SET reports = s.reports + excluded.reports,
      new_issues = s.new_issues + excluded.new_issues, fixed_issues = s.fixed_issues + excluded.fixed_issues,
      regressions = s.regressions + excluded.regressions, first_at = least(s.first_at, excluded.first_at),
      last_at = greatest(s.last_at, excluded.last_at);
  DELETE FROM added_seen_values;

  DROP VIEW current_seen_values;
  -- Empty for branches, and for reports of a version that name no build, or one that is no longer kept by name.
  ALTER TABLE seen_values ADD COLUMN build_number text COLLATE "C" NOT NULL DEFAULT '', DROP CONSTRAINT seen_values_pkey,
    ADD PRIMARY KEY (project, lane, dimension, value, build_number);
  ALTER TABLE added_seen_values ADD COLUMN build_number text COLLATE "C" NOT NULL DEFAULT '', DROP CONSTRAINT added_seen_values_pkey,
    ADD PRIMARY KEY (project, generation, lane, dimension, value, build_number);
  ALTER TABLE seen_values ALTER COLUMN build_number DROP DEFAULT;
  ALTER TABLE added_seen_values ALTER COLUMN build_number DROP DEFAULT;
  CREATE VIEW current_seen_values AS
    SELECT project, lane, dimension, value, build_number, sum(reports)::bigint AS reports, sum(new_issues)::integer AS new_issues,
      sum(fixed_issues)::integer AS fixed_issues, sum(regressions)::bigint AS regressions,
      min(first_at) AS first_at, max(last_at) AS last_at, max(includes_rest) AS includes_rest
    FROM (SELECT project, lane, dimension, value, build_number, ${SEEN_COUNTS}, includes_rest FROM seen_values
      UNION ALL SELECT project, lane, dimension, value, build_number, ${SEEN_COUNTS}, 0 FROM added_seen_values) v
    GROUP BY project, lane, dimension, value, build_number;

  ${moveBuilds().postgres.join(';\n  ')};
`

/** Why a file was not taken with its report. */
const OMITTED_FILES = `ALTER TABLE attachments ADD COLUMN omitted text;`
/** Whether the stored bytes were found to be missing or changed. */
const DAMAGED_FILES = `
  ALTER TABLE files ADD COLUMN is_damaged smallint;
`

/** The oldest schema version whose release may use the database. Each release reads it, so it stays as it is. */
const OLDEST_SCHEMA = `
  ALTER TABLE catalog ADD COLUMN oldest_schema integer NOT NULL DEFAULT 0;

  -- For people: the machine and the process.
  ALTER TABLE nodes ADD COLUMN name text NOT NULL DEFAULT '';
`

/**
 * In order; the position in the list is the version. Each says whether servers of the previous release may keep running. A released
 * migration is never changed: new ones are added at the end.
 */
export const MIGRATIONS: readonly SchemaStep[] = [
  ...[
    INITIAL,
    IMPORTS,
    USERS,
    NODES,
    SEARCH_BLOCKS,
    SEARCH_MERGES,
    OPEN_POSITIONS,
    UNCONFIRMED_REGRESSIONS,
    SEARCH_PREFIXES,
    ISSUE_HISTORY,
    DELETED_ISSUES,
    PROJECT_METADATA,
    VACUUM_OPTIONS,
    REPORT_TEXTS,
    DAILY_SOURCES,
    TEAM_AND_FILES,
    // One step, because none was released without the others.
    FEWER_REPORT_ROWS + REPORTERS + AUDIT_LOG + COMMENTS + DELETED_PROJECTS,
    ACCESS_TOKENS,
    BULK_CHANGES,
    // One step, because none was released without the others.
    SDK_BUILDS + REPORT_EXCEPTIONS + DUPLICATES,
    SHARED_VIEWS,
    SPAM,
    CONVERSATIONS,
    KNOWN_ISSUES,
    PROJECT_HEADS,
    BUILDS,
  ].map(excludesPrevious),
  // One step, because none was released without the others.
  allowsPrevious(OLDEST_SCHEMA + OMITTED_FILES + DAMAGED_FILES),
]
