/**
 * Every table that grows has the project first in its key, as its small sequence number: the tables can be distributed
 * by project. Columns with untrusted text are compared byte by byte (`COLLATE "C"`), whatever the database's
 * locale.
 */
export const INITIAL = `
  CREATE TABLE schema_version (version integer NOT NULL);
  INSERT INTO schema_version VALUES (0);

  CREATE TABLE catalog (version bigint NOT NULL);
  INSERT INTO catalog VALUES (1);

  -- A row is written again with every commit of its project: the room left on its page keeps that cheap.
  CREATE TABLE projects (
    seq integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    ordinal bigint NOT NULL UNIQUE,
    slug text COLLATE "C" UNIQUE,
    name text NOT NULL,
    is_public boolean NOT NULL,
    default_branch text NOT NULL,
    created_at bigint NOT NULL,
    sdk_config text,
    last_issue_number integer NOT NULL DEFAULT 0,
    last_event_position bigint NOT NULL DEFAULT 0,
    last_webhook_number integer NOT NULL DEFAULT 0,
    -- Events up to this position are no longer promised to readers.
    expired_position bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);

  CREATE TABLE keys (
    id uuid PRIMARY KEY,
    project integer,
    kind text NOT NULL,
    name text,
    hash bytea NOT NULL UNIQUE,
    token text,
    ending text NOT NULL,
    scopes text NOT NULL,
    origins text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    revoked_at bigint
  );
  CREATE INDEX keys_by_project ON keys (project);

  CREATE TABLE issues (
    project integer NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    lane smallint NOT NULL,
    status text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    priority smallint NOT NULL,
    title text NOT NULL,
    description text,
    app_version text COLLATE "C",
    build_number text,
    os_version text,
    device_model text,
    platform text COLLATE "C",
    branch text COLLATE "C",
    fingerprint text COLLATE "C",
    occurred_at bigint,
    metadata text,
    sdk_name text,
    sdk_version text,
    submission_id text COLLATE "C",
    report_count integer NOT NULL,
    last_reported_at bigint NOT NULL,
    fixed_in_version text,
    fixed_in_build text,
    resolved_at bigint,
    first_left_open_at bigint,
    first_resolved_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version integer NOT NULL,
    created_position bigint NOT NULL,
    PRIMARY KEY (project, number),
    UNIQUE (project, id)
  );
  CREATE INDEX issues_by_status ON issues (project, lane, status, number);
  CREATE INDEX issues_by_update ON issues (project, lane, updated_at, number);
  CREATE INDEX issues_by_reports ON issues (project, lane, report_count, number);
  CREATE INDEX issues_by_priority ON issues (project, lane, priority, number);
  CREATE UNIQUE INDEX issues_by_fingerprint ON issues (project, lane, fingerprint)
    WHERE fingerprint IS NOT NULL;

  -- The reports that joined an issue; the one that made it is the issue itself.
  CREATE TABLE reports (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    number integer NOT NULL,
    received_at bigint NOT NULL,
    occurred_at bigint,
    app_version text,
    build_number text,
    os_version text,
    device_model text,
    platform text,
    branch text,
    submission_id text COLLATE "C",
    PRIMARY KEY (project, issue_number, number)
  );

  CREATE TABLE report_days (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    day text COLLATE "C" NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (project, issue_number, day)
  );

  -- The tokens of our own tokenizer. Apart from the issues, because those are written again with every further report.
  CREATE TABLE search (
    project integer NOT NULL,
    number integer NOT NULL,
    tokens tsvector NOT NULL,
    PRIMARY KEY (project, number)
  );
  CREATE INDEX search_by_token ON search USING gin (tokens);

  CREATE TABLE submissions (
    project integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    content_hash bytea NOT NULL,
    issue_number integer NOT NULL,
    status text NOT NULL,
    report_count integer NOT NULL,
    PRIMARY KEY (project, id)
  );

  CREATE TABLE events (
    project integer NOT NULL,
    position bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    actor text,
    issue_number integer,
    lane smallint NOT NULL,
    details text,
    PRIMARY KEY (project, position)
  );
  -- An issue knows the position of its first event, so that one needs no entry here.
  CREATE INDEX events_by_issue ON events (project, issue_number, position) WHERE type <> 'issue.created';

  CREATE TABLE webhooks (
    project integer NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    name text,
    url text NOT NULL,
    event_types text,
    include_security smallint NOT NULL,
    format text NOT NULL,
    status text COLLATE "C" NOT NULL,
    paused_reason text,
    secrets text NOT NULL,
    -- Of the events up to this position, those it wants have become deliveries.
    position bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_success_at bigint,
    failing_since bigint,
    PRIMARY KEY (project, number),
    UNIQUE (project, id)
  );

  CREATE TABLE deliveries (
    project integer NOT NULL,
    webhook integer NOT NULL,
    position bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    next_attempt_at bigint,
    leased_until bigint,
    finished_at bigint,
    attempts integer NOT NULL,
    -- Those since it was last made pending: the schedule begins anew when it is delivered again.
    series_attempts integer NOT NULL,
    PRIMARY KEY (project, webhook, position)
  );
  CREATE INDEX deliveries_due ON deliveries (project, webhook, next_attempt_at) WHERE status = 'pending';
  CREATE INDEX deliveries_leased ON deliveries (project, webhook, leased_until) WHERE leased_until IS NOT NULL;
  CREATE INDEX deliveries_failed ON deliveries (project, webhook, finished_at) WHERE status = 'failed';

  CREATE TABLE attempts (
    project integer NOT NULL,
    webhook integer NOT NULL,
    position bigint NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    http_status integer,
    error text,
    duration_ms integer NOT NULL,
    response text,
    PRIMARY KEY (project, webhook, position, number)
  );

  CREATE TABLE counters (
    project integer NOT NULL,
    lane smallint NOT NULL,
    dimension text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (project, lane, dimension, value)
  ) WITH (fillfactor = 50);
`
