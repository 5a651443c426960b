import { fillDailySources, moveBuilds } from '../../maintenance/fill-seen-values.ts'
import { allowsPrevious, excludesPrevious, type SchemaStep } from '../../maintenance/schema-versions.ts'
import { INITIAL } from './0001-initial.ts'
import { USERS } from './0003-users.ts'
import { WEBHOOK_KEYS } from './0009-webhook-keys.ts'
import { PROJECT_METADATA } from './0011-project-metadata.ts'
import { REPORT_TEXTS } from './0012-report-texts.ts'
import { TEAM_AND_FILES } from './0014-team-and-files.ts'
import { AUDIT_LOG, COMMENTS } from './0015-audit-log-and-comments.ts'
import { ACCESS_TOKENS } from './0016-access-tokens.ts'
import { SPAM } from './0020-spam.ts'
import { CONVERSATIONS } from './0021-conversations.ts'
import { KNOWN_ISSUES } from './0022-known-issues.ts'

/** The state of an unfinished import: its progress, and the future slugs of its projects. */
const IMPORTS = `
  -- A project without a slug is out of service. One that is being imported gets this one when all of it is there.
  ALTER TABLE projects ADD COLUMN import_slug TEXT;

  CREATE TABLE imports (
    -- There is one import at a time.
    slot INTEGER PRIMARY KEY CHECK (slot = 1),
    -- Of the file; empty once it is given up.
    digest TEXT NOT NULL,
    -- The lines of the file up to this one are stored.
    line INTEGER NOT NULL
  ) STRICT;
`

/** The full-text index is built in steps of a thousand issues; merging eight at a time instead of four rewrites each one less often. */
export const SEARCH_MERGES = `
  INSERT INTO search (search, rank) VALUES ('automerge', 8);
`

/**
 * Positions within the open lane, for readers that see nothing else. An event that has none has the same position in
 * both logs: this includes all earlier events, and the open lane continues from the project's last position.
 */
const OPEN_POSITIONS = `
  -- The position in the open lane as a key, like row; NULL: the same as row. It stays when an event leaves the lane.
  ALTER TABLE events ADD COLUMN open_row INTEGER;
  CREATE INDEX events_open ON events (coalesce(open_row, row)) WHERE lane = 0;

  ALTER TABLE projects ADD COLUMN last_open_position INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN expired_open_position INTEGER NOT NULL DEFAULT 0;
  UPDATE projects SET last_open_position = last_event_position, expired_open_position = expired_position;
`

/** The version of an unconfirmed regression, and an index to find whether a report that joined an issue came from a version. */
const UNCONFIRMED_REGRESSIONS = `
  ALTER TABLE issues ADD COLUMN unconfirmed_version TEXT;
  CREATE INDEX reports_by_version ON reports (issue_row >> 32, app_version) WHERE app_version IS NOT NULL;
`

/** The history of an issue without its further reports, of which there may be any number. Submissions do not write to it. */
const ISSUE_HISTORY = `
  CREATE INDEX events_of_history ON events (issue_row)
    WHERE type <> 'issue.created' AND type <> 'issue.reported';
`

/** The column that names a row's project has the same name as in PostgreSQL. */
const PROJECT_COLUMNS = `
  ALTER TABLE keys RENAME COLUMN project_seq TO project;
  ALTER TABLE submissions RENAME COLUMN project_seq TO project;
  ALTER TABLE counters RENAME COLUMN project_seq TO project;
`

/** Deleted issues that have left rows behind, which are removed in steps. */
const DELETED_ISSUES = `
  CREATE TABLE deleted_issues (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- An issue's first event is found only by its position.
    created_position INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
`

/**
 * The sources of reports are counted by day, for figures over time, and name their lane, so that a search among them does not depend
 * on issues of the other lane. Issues by version are counted once: with the versions.
 */
const DAILY_SOURCES = `
  DELETE FROM counters WHERE dimension = 'app_version';

  DROP TABLE report_sources;
  CREATE TABLE report_sources (
    issue_row INTEGER NOT NULL,
    day TEXT NOT NULL,
    app_version TEXT NOT NULL,
    build_number TEXT NOT NULL,
    branch TEXT NOT NULL,
    -- The lane of the issue.
    lane INTEGER NOT NULL,
    count INTEGER NOT NULL,
    -- Reports that reopened the issue.
    regressions INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (issue_row, day, app_version, build_number, branch)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX report_sources_by_version ON report_sources (issue_row >> 32, lane, app_version, day);
  CREATE INDEX report_sources_by_branch ON report_sources (issue_row >> 32, lane, branch, day);

  ${fillDailySources().sqlite.join(';\n  ')};
`

/** A report that joins an issue writes less: its source has its day and its version, in the lane of the issue. */
const FEWER_REPORT_ROWS = `
  DROP TABLE report_days;
  DROP INDEX reports_by_version;
`

/** Where a problem happened and who reported it, and the issues that a person has reported. */
const REPORTERS = `
  ALTER TABLE issues ADD COLUMN context TEXT;
  ALTER TABLE issues ADD COLUMN reporter TEXT;
  ALTER TABLE issues ADD COLUMN reporter_count INTEGER;
  ALTER TABLE reports ADD COLUMN context TEXT;
  ALTER TABLE reports ADD COLUMN reporter TEXT;

  CREATE TABLE issue_reporters (
    issue_row INTEGER NOT NULL,
    -- An id or, without one, an email address.
    reporter TEXT NOT NULL,
    lane INTEGER NOT NULL,
    email TEXT,
    reports INTEGER NOT NULL,
    PRIMARY KEY (issue_row, reporter)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX issue_reporters_by_reporter ON issue_reporters (issue_row >> 32, lane, reporter, issue_row);
  CREATE INDEX issue_reporters_by_email ON issue_reporters (issue_row >> 32, lane, email, issue_row)
    WHERE email IS NOT NULL;
`

/** The numbers of deleted projects, by which files that they have left in the store are recognised. */
const DELETED_PROJECTS = `
  CREATE TABLE deleted_projects (ordinal INTEGER PRIMARY KEY) STRICT;
`

/** The bulk changes that were made, by the id that the client chose. */
const BULK_CHANGES = `
  CREATE TABLE bulk_changes (
    project INTEGER NOT NULL,
    id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    matched INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bulk_changes_by_time ON bulk_changes (project, at);
`

/** The builds of the SDK that servers on this database have served. */
const SDK_BUILDS = `
  CREATE TABLE sdk_builds (id TEXT PRIMARY KEY, stored_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sdk_files (
    build TEXT NOT NULL,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (build, name)
  ) STRICT;
`

/** The exceptions of reports, by the text that they are part of. */
const REPORT_EXCEPTIONS = `
  CREATE TABLE report_exceptions (
    issue_row INTEGER NOT NULL,
    -- Of the text.
    number INTEGER NOT NULL,
    -- JSON.
    exception TEXT NOT NULL,
    PRIMARY KEY (issue_row, number)
  ) STRICT;
`

/** Issues that are merged into another one. */
const DUPLICATES = `
  ALTER TABLE issues ADD COLUMN duplicate_of TEXT;
  ALTER TABLE issues ADD COLUMN status_before_merge TEXT;
  ALTER TABLE issues ADD COLUMN duplicate_count INTEGER;
  ALTER TABLE issues ADD COLUMN duplicate_reports INTEGER;
  ALTER TABLE issues ADD COLUMN own_reported_at INTEGER;
  CREATE INDEX issues_by_target ON issues (row >> 32, duplicate_of) WHERE duplicate_of IS NOT NULL;
`

/** Saved views that are shared with the people of a project. */
const SHARED_VIEWS = `
  ALTER TABLE views ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX views_by_project ON views (project_id);
`

/** A build is counted in an entry of its version, so that a report writes one entry fewer. */
const BUILDS = `
  ALTER TABLE seen_values RENAME TO earlier_seen_values;
  CREATE TABLE seen_values (
    project INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    -- version or branch.
    dimension TEXT NOT NULL,
    value TEXT NOT NULL,
    -- Empty for branches, and for reports of a version that name no build, or one that is no longer kept by name.
    build_number TEXT NOT NULL,
    reports INTEGER NOT NULL,
    new_issues INTEGER NOT NULL,
    fixed_issues INTEGER NOT NULL,
    regressions INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    -- Whether this entry also counts values or builds that are no longer kept by name.
    includes_rest INTEGER NOT NULL,
    PRIMARY KEY (project, lane, dimension, value, build_number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO seen_values
    SELECT project, lane, dimension, value, '', reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest
    FROM earlier_seen_values;
  DROP TABLE earlier_seen_values;

  ${moveBuilds().sqlite.join(';\n  ')};
`

/** Why a file was not taken with its report. */
const OMITTED_FILES = `ALTER TABLE attachments ADD COLUMN omitted TEXT;`
/** Whether the stored bytes were found to be missing or changed. */
const DAMAGED_FILES = `
  ALTER TABLE files ADD COLUMN is_damaged INTEGER;
`

/** The oldest schema version whose release may use the database. Each release reads it, so it stays as it is. */
const OLDEST_SCHEMA = `
  ALTER TABLE catalog ADD COLUMN oldest_schema INTEGER NOT NULL DEFAULT 0;
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
    SEARCH_MERGES,
    OPEN_POSITIONS,
    UNCONFIRMED_REGRESSIONS,
    ISSUE_HISTORY,
    PROJECT_COLUMNS,
    WEBHOOK_KEYS,
    DELETED_ISSUES,
    PROJECT_METADATA,
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
    BUILDS,
  ].map(excludesPrevious),
  // One step, because none was released without the others.
  allowsPrevious(OLDEST_SCHEMA + OMITTED_FILES + DAMAGED_FILES),
]
