/** Webhooks, their deliveries and the attempts have the same keys and columns as in PostgreSQL, so that their SQL is written once. */
export const WEBHOOK_KEYS = `
  CREATE TABLE new_webhooks (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id BLOB NOT NULL,
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
    failing_since INTEGER,
    PRIMARY KEY (project, number),
    UNIQUE (project, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_webhooks
    SELECT row >> 32, row & 4294967295, id, name, url, event_types, include_security, format, status, paused_reason,
      secrets, position, created_at, updated_at, last_success_at, failing_since
    FROM webhooks;
  DROP TABLE webhooks;
  ALTER TABLE new_webhooks RENAME TO webhooks;

  CREATE TABLE new_deliveries (
    project INTEGER NOT NULL,
    webhook INTEGER NOT NULL,
    position INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    next_attempt_at INTEGER,
    leased_until INTEGER,
    finished_at INTEGER,
    attempts INTEGER NOT NULL,
    -- Those since it was last made pending: the schedule begins anew when it is delivered again.
    series_attempts INTEGER NOT NULL,
    PRIMARY KEY (project, webhook, position)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_deliveries
    SELECT webhook_row >> 32, webhook_row & 4294967295, position, status, created_at, next_attempt_at, leased_until,
      finished_at, attempts, series_attempts
    FROM deliveries;
  DROP TABLE deliveries;
  ALTER TABLE new_deliveries RENAME TO deliveries;
  CREATE INDEX deliveries_due ON deliveries (project, webhook, next_attempt_at, position) WHERE status = 'pending';
  CREATE INDEX deliveries_leased ON deliveries (project, webhook, leased_until) WHERE leased_until IS NOT NULL;
  CREATE INDEX deliveries_failed ON deliveries (project, webhook, finished_at) WHERE status = 'failed';

  CREATE TABLE new_attempts (
    project INTEGER NOT NULL,
    webhook INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    http_status INTEGER,
    error TEXT,
    duration_ms INTEGER NOT NULL,
    response TEXT,
    PRIMARY KEY (project, webhook, position, number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO new_attempts
    SELECT webhook_row >> 32, webhook_row & 4294967295, position, number, at, http_status, error, duration_ms, response
    FROM attempts;
  DROP TABLE attempts;
  ALTER TABLE new_attempts RENAME TO attempts;
`
