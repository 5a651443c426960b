CREATE TABLE catalog (version INTEGER NOT NULL) STRICT;
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
  , import_slug TEXT, last_open_position INTEGER NOT NULL DEFAULT 0, expired_open_position INTEGER NOT NULL DEFAULT 0, description TEXT, website_url TEXT, repository_url TEXT, file_bytes INTEGER NOT NULL DEFAULT 0, last_label_number INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE keys (
    id BLOB PRIMARY KEY,
    project INTEGER REFERENCES projects (seq),
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
CREATE INDEX keys_by_project ON keys (project);
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
  , unconfirmed_version TEXT, last_seen_version TEXT, last_seen_build TEXT, on_default_branch INTEGER, deleted_reports INTEGER, edited_at INTEGER, report_words INTEGER, indexed_words INTEGER, assignee_id TEXT, labels TEXT, context TEXT, reporter TEXT, reporter_count INTEGER, comment_count INTEGER, duplicate_of TEXT, status_before_merge TEXT, duplicate_count INTEGER, duplicate_reports INTEGER, own_reported_at INTEGER, spam_at INTEGER, sender TEXT, reporter_key_hash TEXT, message_count INTEGER, conversation TEXT, known_title TEXT, known_text TEXT) STRICT;
CREATE INDEX issues_by_status ON issues (lane, status);
CREATE INDEX issues_by_update ON issues (row >> 32, lane, updated_at);
CREATE INDEX issues_by_reports ON issues (row >> 32, lane, report_count);
CREATE INDEX issues_by_priority ON issues (row >> 32, lane, priority);
CREATE UNIQUE INDEX issues_by_fingerprint ON issues (row >> 32, lane, fingerprint)
    WHERE fingerprint IS NOT NULL;
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
    submission_id TEXT, id BLOB, text_number INTEGER, metadata TEXT, sdk_name TEXT, sdk_version TEXT, context TEXT, reporter TEXT, sender TEXT, reporter_key_hash TEXT,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (
    tokens, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
CREATE TABLE submissions (
    project INTEGER NOT NULL,
    id TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    issue_row INTEGER NOT NULL,
    status TEXT NOT NULL,
    report_count INTEGER NOT NULL, report_number INTEGER, received_at INTEGER,
    PRIMARY KEY (project, id)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    row INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT,
    issue_row INTEGER,
    lane INTEGER NOT NULL,
    details TEXT
  , open_row INTEGER) STRICT;
CREATE INDEX events_by_issue ON events (issue_row) WHERE type <> 'issue.created';
CREATE TABLE counters (
    project INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    dimension TEXT NOT NULL,
    value TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project, lane, dimension, value)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE imports (
    -- There is one import at a time.
    slot INTEGER PRIMARY KEY CHECK (slot = 1),
    -- Of the file; empty once it is given up.
    digest TEXT NOT NULL,
    -- The lines of the file up to this one are stored.
    line INTEGER NOT NULL
  ) STRICT;
CREATE TABLE users (
    id BLOB PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    can_see_security INTEGER NOT NULL,
    -- A JSON list of ids; NULL: all.
    project_ids TEXT,
    password_hash TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE links (
    hash BLOB PRIMARY KEY,
    -- NULL: for the first person.
    user_id BLOB,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_user ON links (user_id);
CREATE TABLE sign_ins (
    id BLOB PRIMARY KEY,
    user_id BLOB NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    user_agent TEXT,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_by_user ON sign_ins (user_id);
CREATE TABLE views (
    id BLOB PRIMARY KEY,
    user_id BLOB NOT NULL,
    name TEXT NOT NULL,
    project_id BLOB NOT NULL,
    query TEXT NOT NULL,
    created_at INTEGER NOT NULL
  , is_shared INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE INDEX views_by_user ON views (user_id);
CREATE INDEX events_open ON events (coalesce(open_row, row)) WHERE lane = 0;
CREATE INDEX events_of_history ON events (issue_row)
    WHERE type <> 'issue.created' AND type <> 'issue.reported';
CREATE TABLE "webhooks" (
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
CREATE TABLE "deliveries" (
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
CREATE INDEX deliveries_due ON deliveries (project, webhook, next_attempt_at, position) WHERE status = 'pending';
CREATE INDEX deliveries_leased ON deliveries (project, webhook, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX deliveries_failed ON deliveries (project, webhook, finished_at) WHERE status = 'failed';
CREATE TABLE "attempts" (
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
CREATE TABLE deleted_issues (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- An issue's first event is found only by its position.
    created_position INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX issues_to_index ON issues (row) WHERE report_words IS NOT indexed_words;
CREATE TABLE report_texts (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- The first report that had it.
    report_number INTEGER NOT NULL,
    -- How many words of it are searched; 0: none.
    words INTEGER NOT NULL,
    hash BLOB NOT NULL,
    -- NULL: redacted.
    title TEXT,
    description TEXT,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX report_texts_by_hash ON report_texts (issue_row, hash);
CREATE UNIQUE INDEX reports_by_id ON reports (id);
CREATE INDEX reports_by_text ON reports (issue_row, text_number) WHERE text_number > 1;
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
CREATE INDEX issues_by_assignee ON issues (assignee_id, lane) WHERE assignee_id IS NOT NULL;
CREATE TABLE unassignments (
    user_id TEXT PRIMARY KEY,
    round INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE attachments (
    issue_row INTEGER NOT NULL,
    -- The number of the report × 16 + the place in its declaration.
    number INTEGER NOT NULL,
    id BLOB NOT NULL,
    digest BLOB NOT NULL,
    name TEXT NOT NULL,
    declared_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    received_at INTEGER,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX attachments_by_id ON attachments (id);
CREATE INDEX attachments_by_digest ON attachments (issue_row >> 32, digest) WHERE received_at IS NOT NULL;
CREATE INDEX received_attachments ON attachments (issue_row, number) WHERE received_at IS NOT NULL;
CREATE TABLE files (
    project INTEGER NOT NULL,
    digest BLOB NOT NULL,
    -- Its name in the store.
    object TEXT NOT NULL,
    size INTEGER NOT NULL,
    content_type TEXT,
    stored_at INTEGER NOT NULL,
    -- Whether a report that referred to it was deleted since it was last examined.
    is_suspect INTEGER NOT NULL,
    PRIMARY KEY (project, digest)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX files_by_object ON files (project, object);
CREATE INDEX suspect_files ON files (project) WHERE is_suspect = 1;
CREATE TABLE removed_files (object TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE labels (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    colour TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE issue_labels (
    issue_row INTEGER NOT NULL,
    label INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    PRIMARY KEY (issue_row, label)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX issue_labels_by_label ON issue_labels (issue_row >> 32, lane, label, issue_row);
CREATE TABLE deleted_labels (
    project INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project, number)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE audit_log (
    id BLOB NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    actor_name TEXT,
    action TEXT NOT NULL,
    project_id BLOB,
    project_slug TEXT,
    subject TEXT,
    subject_name TEXT,
    changes TEXT NOT NULL,
    lane INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_by_actor ON audit_log (actor, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_project ON audit_log (project_id, id);
CREATE INDEX hidden_audit_subjects ON audit_log (subject, id) WHERE lane = 1;
CREATE TABLE comments (
    issue_row INTEGER NOT NULL,
    number INTEGER NOT NULL,
    -- Chosen by the client.
    id TEXT NOT NULL,
    author TEXT,
    audience TEXT NOT NULL,
    -- NULL: deleted. The row stays, so that the id is not reused.
    text TEXT,
    -- JSON; NULL: none.
    mentions TEXT,
    -- Of what was first submitted under the id.
    content_hash BLOB,
    created_at INTEGER NOT NULL,
    edited_at INTEGER, report_number INTEGER, last_report INTEGER,
    PRIMARY KEY (issue_row, number)
  ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX comments_by_id ON comments (issue_row, id);
CREATE TABLE deleted_projects (ordinal INTEGER PRIMARY KEY) STRICT;
CREATE TABLE access_tokens (
    id BLOB NOT NULL PRIMARY KEY,
    user_id BLOB NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    ending TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
CREATE INDEX access_tokens_by_user ON access_tokens (user_id, id);
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
CREATE TABLE sdk_builds (id TEXT PRIMARY KEY, stored_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE sdk_files (
    build TEXT NOT NULL,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (build, name)
  ) STRICT;
CREATE TABLE report_exceptions (
    issue_row INTEGER NOT NULL,
    -- Of the text.
    number INTEGER NOT NULL,
    -- JSON.
    exception TEXT NOT NULL,
    PRIMARY KEY (issue_row, number)
  ) STRICT;
CREATE INDEX issues_by_target ON issues (row >> 32, duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX views_by_project ON views (project_id);
CREATE INDEX issues_by_spam ON issues (row >> 32, spam_at) WHERE spam_at IS NOT NULL;
CREATE TABLE sender_keys (
    day TEXT PRIMARY KEY,
    key BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE blocked_senders (
    project INTEGER NOT NULL,
    sender TEXT NOT NULL,
    -- The day of the key that the sender was hashed with.
    day TEXT NOT NULL,
    -- The issue that the sender was blocked with.
    issue_number INTEGER NOT NULL,
    PRIMARY KEY (project, sender)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX issues_by_reporter_key ON issues (row >> 32, reporter_key_hash, row)
    WHERE reporter_key_hash IS NOT NULL;
CREATE INDEX reports_by_reporter_key ON reports (issue_row >> 32, reporter_key_hash, received_at, id, text_number)
    WHERE reporter_key_hash IS NOT NULL;
CREATE INDEX reports_with_reporter_key ON reports (issue_row, received_at, reporter_key_hash)
    WHERE reporter_key_hash IS NOT NULL;
CREATE INDEX comments_to_reporters ON comments (issue_row, number) WHERE audience = 'reporters';
CREATE INDEX comments_of_report ON comments (issue_row, report_number, number) WHERE report_number IS NOT NULL;
CREATE TABLE read_marks (
    issue_row INTEGER NOT NULL,
    report_number INTEGER NOT NULL,
    comment_number INTEGER NOT NULL,
    PRIMARY KEY (issue_row, report_number)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE blocked_reporters (
    project INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    -- The lane of the issue that the reporter was blocked on.
    lane INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (project, key_hash, lane)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX issues_known ON issues (row >> 32, row, known_title) WHERE known_title IS NOT NULL;
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
DELETE FROM sqlite_sequence;
DELETE FROM search_data;
DELETE FROM search_idx;
DELETE FROM search_docsize;
DELETE FROM search_config;
INSERT INTO catalog VALUES (5);
INSERT INTO projects VALUES (1, X'01a1ddce2fd88c83b32de691cd9ea9bb', 3359427449, 'weather', 'Weather', 1, 'main', 1794722639832, '{"enabled":true,"minSdkVersion":null,"features":{"newReporter":true},"crash":{"enabled":true,"sampleRate":1},"refreshAfterSeconds":3600}', 8, 35, 1, 0, 0, NULL, 35, 0, NULL, NULL, NULL, 0, 0);
INSERT INTO keys VALUES (X'01a1ddce312b889785eeeb82ab805ab5', 1, 'public', 'iOS app', X'f03390b29ffb52d8b91e35c64976d2ac3c47fc707419ceb06348bb43efecdd7c', 'bgl_pub_xm6gI8kUb9BzaDxUjyXZYe8qsNVvV81NkKIC', 'kKIC', '[]', '[]', 1794722640171, NULL, NULL);
INSERT INTO keys VALUES (X'01a1ddce32a08413bad91441b77f9a15', 1, 'secret', 'Team', X'7cb6550550e01f50c52954e3e55ea603a59abf59d0a60ab37bcfa526d760ae98', NULL, 'bFUE', '["issues:read"]', '[]', 1794722640544, NULL, NULL);
INSERT INTO issues VALUES (4294967297, X'01a1543516a38c83b32de605f580e2a1', 0, 'resolved', 'bug', 2, 'Ticked items come back on the list “Household”', 'I tick sourdough, walk to the next aisle, and it is there again. We own a lot of sourdough now.', '3.1.1', '2068', 'watchOS 26.1', 'Apple Watch Series 11', 'watchos', 'release/3.1', NULL, NULL, '{"freeMemoryMb":901,"isOnline":false,"locale":"pl-PL","plan":"family","recipes":559}', '@bugle/sdk', '0.3.1', 'mwhfisyo-9-0-1', 1, 1792414127779, '3.3.1', '2118', 1793023668535, 1792565357551, 1793023668535, 1792414127779, 1793023668535, 3, 1, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'abababababababababababababababababababababababababababababababab', NULL, 'waiting-for-reporter', 'Search is slow', 'We are working on it.');
INSERT INTO issues VALUES (4294967298, X'01a1878c67b98c83b32de5471dd6ee44', 0, 'closed', 'bug', 2, 'Barcode of oat milk is recognised as printer paper', 'Scanned three different packets. The number under the bars is read correctly, the product is not.', '3.2.0', '2079', 'iPadOS 26.1', 'iPhone 17', 'ios', 'release/3.2', NULL, NULL, '{"freeMemoryMb":3857,"isOnline":true,"locale":"fr-FR","plan":"free","recipes":243}', '@bugle/sdk', '0.1.0', 'mwhfisyo-9-1-1', 1, 1793275488185, NULL, NULL, NULL, 1793627028000, NULL, 1793275488185, 1793627028000, 2, 4, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967299, X'01a19cc4873f8c83b32de4a7a8d6a3ce', 0, 'resolved', 'bug', 1, 'Edits to Pad Thai are lost on a slow line', 'I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'mwhfisyo-9-4-1', 1, 1793631487807, '4.0.1', '2224', 1794620657853, 1793688082173, 1794620657853, 1793631487807, 1794723500000, 4, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967300, X'01a19d99e14d8c83b32de7a39118e2e8', 0, 'closed', 'bug', 0, 'Grams and ounces are mixed in Goulash', 'Settings say metric. The first four lines are metric, the fifth is not.', '3.3.0', '2107', 'Windows 10 22H2', 'ThinkPad X1', 'windows', 'release/3.3', NULL, 1793642830029, '{"isOnline":true,"locale":"pt-BR","plan":"free","recipes":495,"theme":"light"}', '@bugle/sdk', '0.1.0', 'mwhfisyo-9-6-1', 1, 1793645470029, NULL, NULL, NULL, 1793666255770, NULL, 1793645470029, 1793666255770, 2, 7, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967301, X'01a1b01a25f78c83b32de7f767506319', 1, 'acknowledged', 'security', 1, 'Undo brings back the wrong item on Meal plan', '1. Remove coconut cream
2. Remove anything else
3. Undo once

coconut cream comes back, not the other one.', '3.3.0', '2107', 'iOS 26.0.1', 'iPhone 15', 'ios', 'release/3.3', NULL, 1793954786103, '{"freeMemoryMb":934,"isOnline":true,"locale":"de-DE","plan":"free","recipes":165,"theme":"light"}', '@bugle/sdk', '0.1.0', 'mwhfisyo-9-3-1', 1, 1793955866103, NULL, NULL, NULL, 1793994503647, NULL, 1793955866103, 1794723400000, 4, 10, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967302, X'01a1ba9d69e08c83b32de5cc5e8c11a0', 0, 'resolved', 'crash', 2, 'Deadlock in ListStore: the app is ended by the watchdog', 'Main thread waits for ListStore.writeQueue, which waits for the main thread.

Thread 0: ListStore.sync
Thread 7: ListStore.didChange → DispatchQueue.main.sync', '3.6.0', '2185', 'iOS 18.7', 'iPhone 17', 'ios', 'release/3.6', 'crash:mwhfisyo-9-7', 1794132000864, '{"isOnline":true,"locale":"ja-JP","plan":"free","recipes":319}', '@bugle/sdk', '0.1.0', 'mwhfisyo-9-7-1', 12, 1794687237029, '4.0.0-beta.1', '2196', 1794233669282, 1794233669282, 1794233669282, 1794132240864, 1794233669282, 2, 12, NULL, '3.6.0', '2185', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967303, X'01a1cb0903038c83b32de45e0b34e269', 1, 'acknowledged', 'security', 3, 'Edits to Lentil soup are lost after signing in again', 'I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.', '4.0.0-beta.1', '2196', 'iOS 26.0.1', 'iPhone 16 Pro', 'ios', 'main', NULL, NULL, '{"isOnline":false,"locale":"en-GB","plan":"family","recipes":882}', '@bugle/sdk', '0.3.1', 'mwhfisyo-9-2-1', 1, 1794407727875, NULL, NULL, NULL, 1794723300000, NULL, 1794407727875, 1794723600000, 4, 22, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO issues VALUES (4294967304, X'01a1cb13d04f8c83b32de530a550980b', 0, 'in_progress', 'ui_ux', 1, 'The screen goes to sleep in Cook mode', 'With dough on both hands there is no polite way to wake it.', '4.0.0-beta.1', '2196', 'Chrome 142 on macOS 26', 'Desktop', 'web', 'main', NULL, NULL, '{"isOnline":false,"locale":"ja-JP","plan":"plus","recipes":661}', '@bugle/sdk', '0.2.0', 'mwhfisyo-9-5-1', 1, 1794408435791, NULL, NULL, NULL, 1794432843891, NULL, 1794408435791, 1794723200000, 3, 23, NULL, NULL, NULL, 1, NULL, 1794432843891, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 2, 1794136228199, NULL, '3.5.1', '2171', 'iOS 26.1', 'iPhone 15', 'ios', 'release/3.5', 'mwhfisyo-9-7-8', X'01a1bada41678c83b32de4a35df3de94', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 3, 1794147038826, NULL, '3.5.0', '2157', 'iPadOS 26.1', 'iPad Air (M3)', 'ios', 'release/3.5', 'mwhfisyo-9-7-11', X'01a1bb7f366a8c83b32de52636675628', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 4, 1794154650737, 1794154530737, '3.6.0', '2185', 'iOS 26.0.1', 'iPad Air (M3)', 'ios', 'release/3.6', 'mwhfisyo-9-7-12', X'01a1bbf35c718c83b32de492159848ff', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 5, 1794170091169, NULL, '3.3.2', '2132', 'iOS 18.7', 'iPhone 13 mini', 'ios', 'release/3.3', 'mwhfisyo-9-7-9', X'01a1bcdef6a18c83b32de53032f49fed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 6, 1794204556957, NULL, '3.5.1', '2171', 'iOS 26.0.1', 'iPhone 16 Pro', 'ios', 'release/3.5', 'mwhfisyo-9-7-10', X'01a1beecde9d8c83b32de4809f72579e', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 7, 1794215723749, NULL, '3.5.1', '2171', 'iPadOS 26.1', 'iPhone 15', 'ios', 'release/3.5', 'mwhfisyo-9-7-5', X'01a1bf9742e58c83b32de5e26c8139b4', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 8, 1794248876908, NULL, '3.6.0', '2185', 'iOS 26.0.1', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfisyo-9-7-3', X'01a1c191236c8c83b32de5c9f6fb7a6d', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 9, 1794273155966, NULL, '3.6.0', '2185', 'iOS 18.7', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfisyo-9-7-7', X'01a1c3039b7e8c83b32de6496a2ae0a1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 10, 1794451863190, NULL, '3.4.0', '2146', 'iOS 18.7', 'iPhone 15', 'ios', 'release/3.4', 'mwhfisyo-9-7-4', X'01a1cdaa76968c83b32de7df8aa00923', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 11, 1794482320413, 1794479920413, '3.6.0', '2185', 'iOS 26.0.1', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfisyo-9-7-2', X'01a1cf7b341d8c83b32de634308dac17', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO reports VALUES (4294967302, 12, 1794687237029, NULL, '3.6.0', '2185', 'iOS 26.0.1', 'iPhone 15', 'ios', 'release/3.6', 'mwhfisyo-9-7-6', X'01a1dbb1fba58c83b32de61dde0a86ec', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-0-1', X'ad53346936e98aeabd6775521c591177', 4294967297, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-1-1', X'fbe26368a6d54661751c2d84c88b54df', 4294967298, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-2-1', X'c969dc92990559000720213f2a4b8bd7', 4294967303, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-3-1', X'115422434f53a1606a34f478fd660e04', 4294967301, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-4-1', X'7165ca8db522562c1c422dc83e42fdbf', 4294967299, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-5-1', X'ef07bf7591c0a42a26c4baf3bc5f22ce', 4294967304, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-6-1', X'7aa0480792fa350eb2ecc2d9e33375f5', 4294967300, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-1', X'881970edda9c25af6611d17c33fde6d5', 4294967302, 'open', 1, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-10', X'3cdf703e62ab422968b63f053119c0f1', 4294967302, 'open', 6, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-11', X'989c04f1598ed9bdd1c62a2742b3d89d', 4294967302, 'open', 3, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-12', X'd829949da5cd79d7fad821370a8d8704', 4294967302, 'open', 4, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-2', X'ed46749b0dc953ed7a7ec382592cc65b', 4294967302, 'resolved', 11, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-3', X'e6ee058c4a4dd4a50f11b26c4f3b72ec', 4294967302, 'resolved', 8, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-4', X'e24bbd5b0b66e7f814fed6610a0f3897', 4294967302, 'resolved', 10, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-5', X'3dcd2b1ad8b9121268fadbb215ae6da2', 4294967302, 'open', 7, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-6', X'bd137d0fc8295a322488eb3415b17802', 4294967302, 'resolved', 12, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-7', X'0f64b5fd3d79ee20c52110399c7422ee', 4294967302, 'resolved', 9, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-8', X'1839ae4c8163e647796ce683b311dc75', 4294967302, 'open', 2, NULL, NULL);
INSERT INTO submissions VALUES (1, 'mwhfisyo-9-7-9', X'f0454c01a219bf6d1cbe60ef5c282b6a', 4294967302, 'open', 5, NULL, NULL);
INSERT INTO events VALUES (4294967297, 'issue.created', 1792414127779, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967297, 0, NULL, NULL);
INSERT INTO events VALUES (4294967298, 'issue.status_changed', 1792565357551, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967297, 0, '[[{"member":"status","from":"open","to":"in_progress"}],null,null]', NULL);
INSERT INTO events VALUES (4294967299, 'issue.status_changed', 1793023668535, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967297, 0, '[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"3.3.1","buildNumber":"2118"}}],null,null]', NULL);
INSERT INTO events VALUES (4294967300, 'issue.created', 1793275488185, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967298, 0, NULL, NULL);
INSERT INTO events VALUES (4294967301, 'issue.status_changed', 1793627028000, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967298, 0, '[[{"member":"status","from":"open","to":"closed"}],null,null]', NULL);
INSERT INTO events VALUES (4294967302, 'issue.created', 1793631487807, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967299, 0, NULL, NULL);
INSERT INTO events VALUES (4294967303, 'issue.created', 1793645470029, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967300, 0, NULL, NULL);
INSERT INTO events VALUES (4294967304, 'issue.status_changed', 1793666255770, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967300, 0, '[[{"member":"status","from":"open","to":"closed"}],"The same as an older issue; that one is fixed.",null]', NULL);
INSERT INTO events VALUES (4294967305, 'issue.status_changed', 1793688082173, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967299, 0, '[[{"member":"status","from":"open","to":"in_progress"}],null,null]', NULL);
INSERT INTO events VALUES (4294967306, 'issue.created', 1793955866103, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967301, 1, NULL, NULL);
INSERT INTO events VALUES (4294967307, 'issue.status_changed', 1793994503647, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967301, 1, '[[{"member":"status","from":"open","to":"acknowledged"}],"Seen here too.",null]', NULL);
INSERT INTO events VALUES (4294967308, 'issue.created', 1794132240864, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967309, 'issue.reported', 1794136228199, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967310, 'issue.reported', 1794147038826, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967311, 'issue.reported', 1794154650737, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967312, 'issue.reported', 1794170091169, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967313, 'issue.reported', 1794204556957, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967314, 'issue.reported', 1794215723749, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, NULL, NULL);
INSERT INTO events VALUES (4294967315, 'issue.status_changed', 1794233669282, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967302, 0, '[[{"member":"status","from":"open","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.0-beta.1","buildNumber":"2196"}}],null,null]', NULL);
INSERT INTO events VALUES (4294967316, 'issue.reported', 1794248876908, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]', NULL);
INSERT INTO events VALUES (4294967317, 'issue.reported', 1794273155966, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]', NULL);
INSERT INTO events VALUES (4294967318, 'issue.created', 1794407727875, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967303, 1, NULL, NULL);
INSERT INTO events VALUES (4294967319, 'issue.created', 1794408435791, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967304, 0, NULL, NULL);
INSERT INTO events VALUES (4294967320, 'issue.status_changed', 1794432843891, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967304, 0, '[[{"member":"status","from":"open","to":"acknowledged"},{"member":"title","from":"Old","to":"New"}],"Reproduced on the second try.",null]', NULL);
INSERT INTO events VALUES (4294967321, 'issue.reported', 1794451863190, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, '[[],null,"3.4.0 (2146) is older than the fix, 4.0.0-beta.1 (2196): a late report."]', NULL);
INSERT INTO events VALUES (4294967322, 'issue.reported', 1794482320413, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]', NULL);
INSERT INTO events VALUES (4294967323, 'issue.status_changed', 1794620657853, 'key_01m7ewwbyrhh7r7thdxns0ftra', 4294967299, 0, '[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.1","buildNumber":"2224"}}],"Reverted the cache change.",null]', NULL);
INSERT INTO events VALUES (4294967324, 'issue.reported', 1794687237029, 'key_01m7ewwbyrgh3vgd2z86kg6m92', 4294967302, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]', NULL);
INSERT INTO events VALUES (4294967325, 'issue.updated', 1794723000000, NULL, 4294967301, 1, '[[{"member":"category","from":"bug","to":"security"}],null,null]', NULL);
INSERT INTO events VALUES (4294967326, 'issue.updated', 1794723100000, NULL, 4294967303, 1, '[[{"member":"category","from":"bug","to":"security"}],"Anyone can read it.",null]', NULL);
INSERT INTO events VALUES (4294967327, 'issue.status_changed', 1794723200000, NULL, 4294967304, 0, '[[{"member":"status","from":"acknowledged","to":"in_progress"}],null,null]', NULL);
INSERT INTO events VALUES (4294967328, 'issue.status_changed', 1794723300000, NULL, 4294967303, 1, '[[{"member":"status","from":"open","to":"acknowledged"}],null,null]', NULL);
INSERT INTO events VALUES (4294967329, 'issue.updated', 1794723400000, NULL, 4294967301, 1, '[[],"Looked into.",null]', NULL);
INSERT INTO events VALUES (4294967330, 'issue.updated', 1794723500000, NULL, 4294967299, 0, '[[],"Confirmed.",null]', NULL);
INSERT INTO events VALUES (4294967331, 'issue.updated', 1794723600000, NULL, 4294967303, 1, '[[{"member":"priority","from":"high","to":"critical"}],null,null]', NULL);
INSERT INTO counters VALUES (1, 0, 'category', 'bug', 4);
INSERT INTO counters VALUES (1, 0, 'category', 'crash', 1);
INSERT INTO counters VALUES (1, 0, 'category', 'ui_ux', 1);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-10-19', 1);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-10-29', 1);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-11-02', 2);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-11-06', 0);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-11-08', 1);
INSERT INTO counters VALUES (1, 0, 'created_day', '2026-11-11', 1);
INSERT INTO counters VALUES (1, 0, 'device_model', 'Apple Watch Series 11', 1);
INSERT INTO counters VALUES (1, 0, 'device_model', 'Desktop', 1);
INSERT INTO counters VALUES (1, 0, 'device_model', 'ThinkPad X1', 1);
INSERT INTO counters VALUES (1, 0, 'device_model', 'iPhone 17', 2);
INSERT INTO counters VALUES (1, 0, 'intake', 'joined', 11);
INSERT INTO counters VALUES (1, 0, 'intake', 'stored', 8);
INSERT INTO counters VALUES (1, 0, 'os_version', 'Chrome 142 on macOS 26', 1);
INSERT INTO counters VALUES (1, 0, 'os_version', 'Windows 10 22H2', 1);
INSERT INTO counters VALUES (1, 0, 'os_version', 'iOS 18.7', 1);
INSERT INTO counters VALUES (1, 0, 'os_version', 'iPadOS 26.1', 1);
INSERT INTO counters VALUES (1, 0, 'os_version', 'watchOS 26.1', 1);
INSERT INTO counters VALUES (1, 0, 'platform', 'ios', 2);
INSERT INTO counters VALUES (1, 0, 'platform', 'watchos', 1);
INSERT INTO counters VALUES (1, 0, 'platform', 'web', 1);
INSERT INTO counters VALUES (1, 0, 'platform', 'windows', 1);
INSERT INTO counters VALUES (1, 0, 'priority', 'high', 3);
INSERT INTO counters VALUES (1, 0, 'priority', 'low', 1);
INSERT INTO counters VALUES (1, 0, 'priority', 'medium', 2);
INSERT INTO counters VALUES (1, 0, 'reports', '', 17);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-10-19', 1);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-10-29', 1);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-02', 2);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-06', 0);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-08', 5);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-09', 3);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-10', 1);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-11', 1);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-12', 2);
INSERT INTO counters VALUES (1, 0, 'reports_day', '2026-11-14', 1);
INSERT INTO counters VALUES (1, 0, 'resolved_day', '2026-10-26', 1);
INSERT INTO counters VALUES (1, 0, 'resolved_day', '2026-11-09', 1);
INSERT INTO counters VALUES (1, 0, 'resolved_day', '2026-11-14', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-10-19', '0.3.1', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-10-29', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-02', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-06', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-08', '0.1.0', 2);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-08', '0.2.0', 2);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-08', '0.3.1', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-09', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-09', '0.3.1', 2);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-10', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-11', '0.2.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-11', '0.3.1', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-12', '0.2.0', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-12', '0.3.1', 1);
INSERT INTO counters VALUES (1, 0, 'sdk:2026-11-14', '0.1.0', 1);
INSERT INTO counters VALUES (1, 0, 'status', 'acknowledged', 0);
INSERT INTO counters VALUES (1, 0, 'status', 'closed', 2);
INSERT INTO counters VALUES (1, 0, 'status', 'in_progress', 1);
INSERT INTO counters VALUES (1, 0, 'status', 'open', 0);
INSERT INTO counters VALUES (1, 0, 'status', 'resolved', 3);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '100000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '150000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '21000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '24000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '350000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '39000', 0);
INSERT INTO counters VALUES (1, 0, 'time_to_acknowledge', '57000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_resolve', '100000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_resolve', '610000', 1);
INSERT INTO counters VALUES (1, 0, 'time_to_resolve', '990000', 1);
INSERT INTO counters VALUES (1, 1, 'category', 'security', 2);
INSERT INTO counters VALUES (1, 1, 'created_day', '2026-11-06', 1);
INSERT INTO counters VALUES (1, 1, 'created_day', '2026-11-11', 1);
INSERT INTO counters VALUES (1, 1, 'device_model', 'iPhone 15', 1);
INSERT INTO counters VALUES (1, 1, 'device_model', 'iPhone 16 Pro', 1);
INSERT INTO counters VALUES (1, 1, 'os_version', 'iOS 26.0.1', 2);
INSERT INTO counters VALUES (1, 1, 'platform', 'ios', 2);
INSERT INTO counters VALUES (1, 1, 'priority', 'critical', 1);
INSERT INTO counters VALUES (1, 1, 'priority', 'high', 0);
INSERT INTO counters VALUES (1, 1, 'priority', 'medium', 1);
INSERT INTO counters VALUES (1, 1, 'reports', '', 2);
INSERT INTO counters VALUES (1, 1, 'reports_day', '2026-11-06', 1);
INSERT INTO counters VALUES (1, 1, 'reports_day', '2026-11-11', 1);
INSERT INTO counters VALUES (1, 1, 'status', 'acknowledged', 2);
INSERT INTO counters VALUES (1, 1, 'status', 'open', 0);
INSERT INTO counters VALUES (1, 1, 'time_to_acknowledge', '320000', 1);
INSERT INTO counters VALUES (1, 1, 'time_to_acknowledge', '39000', 1);
INSERT INTO users VALUES (X'01a1dc74bb0080848e0c9c9e79546058', 'ada@example.com', 'Ada', 'admin', 1, NULL, NULL, 1794700000000);
INSERT INTO views VALUES (X'01a1dc74bb008765970b3e6f1a11023b', X'01a1dc74bb0080848e0c9c9e79546058', 'Open crashes', X'01a1ddce2fd88c83b32de691cd9ea9bb', 'status=open', 1794700000000, 0);
INSERT INTO webhooks VALUES (1, 1, X'01a1ddce33c68c83b32de54f0c38aad5', 'Chat', 'https://hooks.example/bugle', NULL, 0, 'standard', 'active', NULL, '[{"secret":"whsec_Y7Ffw/h/2MS8RnyRCTHjq5duMjGFx1To3TiSApibNQk=","until":null}]', 35, 1794722640838, 1794722640838, 1794700100020, 1794700100020);
INSERT INTO deliveries VALUES (1, 1, 1, 'delivered', 1794700100000, NULL, NULL, 1794700100020, 1, 1);
INSERT INTO deliveries VALUES (1, 1, 2, 'pending', 1794700100000, 1794700105020, NULL, NULL, 1, 1);
INSERT INTO deliveries VALUES (1, 1, 3, 'pending', 1794700100000, 1794700100000, 1794700130000, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 4, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 5, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 6, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 7, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 8, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 9, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 12, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 13, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 14, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 15, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 16, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 17, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 18, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 19, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 20, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 21, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 23, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 24, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 25, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 26, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 27, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 28, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 31, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO deliveries VALUES (1, 1, 34, 'pending', 1794700100000, 1794700100000, NULL, NULL, 0, 0);
INSERT INTO attempts VALUES (1, 1, 1, 1, 1794700100000, 200, NULL, 20, 'ok');
INSERT INTO attempts VALUES (1, 1, 2, 1, 1794700100000, NULL, 'timeout', 20, NULL);
INSERT INTO report_sources VALUES (4294967302, '2026-11-08', '3.3.2', '2132', 'release/3.3', 0, 1, 0, 1794170091169, 1794170091169);
INSERT INTO report_sources VALUES (4294967302, '2026-11-08', '3.5.0', '2157', 'release/3.5', 0, 1, 0, 1794147038826, 1794147038826);
INSERT INTO report_sources VALUES (4294967302, '2026-11-08', '3.5.1', '2171', 'release/3.5', 0, 1, 0, 1794136228199, 1794136228199);
INSERT INTO report_sources VALUES (4294967302, '2026-11-08', '3.6.0', '2185', 'release/3.6', 0, 1, 0, 1794154650737, 1794154650737);
INSERT INTO report_sources VALUES (4294967302, '2026-11-09', '3.5.1', '2171', 'release/3.5', 0, 2, 0, 1794204556957, 1794215723749);
INSERT INTO report_sources VALUES (4294967302, '2026-11-09', '3.6.0', '2185', 'release/3.6', 0, 1, 0, 1794248876908, 1794248876908);
INSERT INTO report_sources VALUES (4294967302, '2026-11-10', '3.6.0', '2185', 'release/3.6', 0, 1, 0, 1794273155966, 1794273155966);
INSERT INTO report_sources VALUES (4294967302, '2026-11-12', '3.4.0', '2146', 'release/3.4', 0, 1, 0, 1794451863190, 1794451863190);
INSERT INTO report_sources VALUES (4294967302, '2026-11-12', '3.6.0', '2185', 'release/3.6', 0, 1, 0, 1794482320413, 1794482320413);
INSERT INTO report_sources VALUES (4294967302, '2026-11-14', '3.6.0', '2185', 'release/3.6', 0, 1, 0, 1794687237029, 1794687237029);
INSERT INTO blocked_reporters VALUES (1, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 0, 1794723500000);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'main', '', 1, 1, 0, 0, 1794408435791, 1794408435791, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.1', '', 1, 1, 0, 0, 1792414127779, 1792414127779, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.2', '', 1, 1, 0, 0, 1793275488185, 1793275488185, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.3', '', 2, 1, 0, 0, 1793645470029, 1794170091169, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.4', '', 1, 0, 0, 0, 1794451863190, 1794451863190, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.5', '', 4, 0, 0, 0, 1794136228199, 1794215723749, 0);
INSERT INTO seen_values VALUES (1, 0, 'branch', 'release/3.6', '', 6, 1, 0, 0, 1794132240864, 1794687237029, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.1.1', '2068', 1, 1, 0, 0, 1792414127779, 1792414127779, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.2.0', '2079', 1, 1, 0, 0, 1793275488185, 1793275488185, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.3.0', '2107', 1, 1, 0, 0, 1793645470029, 1793645470029, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.3.1', '', 0, 0, 1, 0, 8640000000000000, 0, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.3.2', '2132', 1, 0, 0, 0, 1794170091169, 1794170091169, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.4.0', '2146', 1, 0, 0, 0, 1794451863190, 1794451863190, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.5.0', '2157', 1, 0, 0, 0, 1794147038826, 1794147038826, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.5.1', '2171', 3, 0, 0, 0, 1794136228199, 1794215723749, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '3.6.0', '2185', 6, 1, 0, 0, 1794132240864, 1794687237029, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '4.0.0-beta.1', '', 0, 0, 1, 0, 8640000000000000, 0, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '4.0.0-beta.1', '2196', 1, 1, 0, 0, 1794408435791, 1794408435791, 0);
INSERT INTO seen_values VALUES (1, 0, 'version', '4.0.1', '', 0, 0, 1, 0, 8640000000000000, 0, 0);
INSERT INTO seen_values VALUES (1, 1, 'branch', 'main', '', 1, 1, 0, 0, 1794407727875, 1794407727875, 0);
INSERT INTO seen_values VALUES (1, 1, 'branch', 'release/3.3', '', 1, 1, 0, 0, 1793955866103, 1793955866103, 0);
INSERT INTO seen_values VALUES (1, 1, 'version', '3.3.0', '2107', 1, 1, 0, 0, 1793955866103, 1793955866103, 0);
INSERT INTO seen_values VALUES (1, 1, 'version', '4.0.0-beta.1', '2196', 1, 1, 0, 0, 1794407727875, 1794407727875, 0);
INSERT INTO sqlite_sequence VALUES ('projects', 1);
INSERT INTO search_data VALUES (1, X'');
INSERT INTO search_data VALUES (10, X'00000001ff000001000000');
INSERT INTO search_config VALUES ('automerge', 8);
INSERT INTO search_config VALUES ('version', 4);
PRAGMA user_version = 23;
