/**
 * An issue's key is one integer, project sequence × 2³² + issue number: a project's issues are stored
 * together in the order of their numbers, and the full-text index can use the same key. The keys of events (by position) and
 * webhooks (by number) have the same layout.
 */
export const INITIAL = `
  CREATE TABLE catalog (version INTEGER NOT NULL) STRICT;
  INSERT INTO catalog VALUES (1);

  CREATE TABLE projects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL UNIQUE,
    ordinal INTEGER NOT NULL UNIQUE,
    slug TEXT UNIQUE,
    name TEXT NOT NULL,
    is_public INTEGER NOT NULL,
    default_branch TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    sdk_config TEXT,
    last_issue_number INTEGER NOT NULL DEFAULT 0,
    last_event_position INTEGER NOT NULL DEFAULT 0,
    last_webhook_number INTEGER NOT NULL DEFAULT 0,
    -- Events up to this position are no longer promised to readers.
    expired_position INTEGER NOT NULL DEFAULT 0,
    -- Issues up to this number are in the full-text index.
    indexed_number INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE keys (
    id BLOB PRIMARY KEY,
    project_seq INTEGER REFERENCES projects (seq),
    kind TEXT NOT NULL,
    name TEXT,
    hash BLOB NOT NULL UNIQUE,
    token TEXT,
    ending TEXT NOT NULL,
    scopes TEXT NOT NULL,
    origins TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX keys_by_project ON keys (project_seq);

  CREATE TABLE issues (
    row INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    lane INTEGER NOT NULL,
    status TEXT NOT NULL,
    category TEXT NOT NULL,
    priority INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    app_version TEXT,
    build_number TEXT,
    os_version TEXT,
    device_model TEXT,
    platform TEXT,
    branch TEXT,
    fingerprint TEXT,
    occurred_at INTEGER,
    metadata TEXT,
    sdk_name TEXT,
    sdk_version TEXT,
    submission_id TEXT,
    report_count INTEGER NOT NULL,
    last_reported_at INTEGER NOT NULL,
    fixed_in_version TEXT,
    fixed_in_build TEXT,
    resolved_at INTEGER,
    first_left_open_at INTEGER,
    first_resolved_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_position INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX issues_by_status ON issues (lane, status);
  CREATE INDEX issues_by_update ON issues (row >> 32, lane, updated_at);
  CREATE INDEX issues_by_reports ON issues (row >> 32, lane, report_count);
  CREATE INDEX issues_by_priority ON issues (row >> 32, lane, priority);
  CREATE UNIQUE INDEX issues_by_fingerprint ON issues (row >> 32, lane, fingerprint)
    WHERE fingerprint IS NOT NULL;

  -- The reports that joined an issue; the one that made it is the issue itself.
  CREATE TABLE reports (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    occurred_at INTEGER,
    app_version TEXT,
    build_number TEXT,
    os_version TEXT,
    device_model TEXT,
    platform TEXT,
    branch TEXT,
    submission_id TEXT,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE report_days (
    issue_row INTEGER NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (issue_row, day)
  ) STRICT, WITHOUT ROWID;

  -- Holds the tokens of our own tokenizer, so it needs to split only at spaces.
  CREATE VIRTUAL TABLE search USING fts5 (
    tokens, content = '', contentless_delete = 1, tokenize = 'ascii'
  );

  CREATE TABLE submissions (
    project_seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    issue_row INTEGER NOT NULL,
    status TEXT NOT NULL,
    report_count INTEGER NOT NULL,
    PRIMARY KEY (project_seq, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    row INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT,
    issue_row INTEGER,
    lane INTEGER NOT NULL,
    details TEXT
  ) STRICT;
  -- An issue knows the position of its first event, so that one needs no entry here.
  CREATE INDEX events_by_issue ON events (issue_row) WHERE type <> 'issue.created';

  CREATE TABLE webhooks (
    row INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    name TEXT,
    url TEXT NOT NULL,
    event_types TEXT,
    include_security INTEGER NOT NULL,
    format TEXT NOT NULL,
    status TEXT NOT NULL,
    paused_reason TEXT,
    secrets TEXT NOT NULL,
    -- Of the events up to this position, those it wants have become deliveries.
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_success_at INTEGER,
    failing_since INTEGER
  ) STRICT;

  CREATE TABLE deliveries (
    webhook_row INTEGER NOT NULL,
    position INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    next_attempt_at INTEGER,
    leased_until INTEGER,
    finished_at INTEGER,
    attempts INTEGER NOT NULL,
    -- Those since it was last made pending: the schedule begins anew when it is delivered again.
    series_attempts INTEGER NOT NULL,
    PRIMARY KEY (webhook_row, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_due ON deliveries (webhook_row, next_attempt_at) WHERE status = 'pending';
  CREATE INDEX deliveries_leased ON deliveries (webhook_row, leased_until) WHERE leased_until IS NOT NULL;
  CREATE INDEX deliveries_failed ON deliveries (webhook_row, finished_at) WHERE status = 'failed';

  CREATE TABLE attempts (
    webhook_row INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    http_status INTEGER,
    error TEXT,
    duration_ms INTEGER NOT NULL,
    response TEXT,
    PRIMARY KEY (webhook_row, position, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE counters (
    project_seq INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    value TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project_seq, lane, dimension, value)
  ) STRICT, WITHOUT ROWID;
`
