CREATE TABLE public.attempts (
    project integer NOT NULL,
    webhook integer NOT NULL,
    "position" bigint NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    http_status integer,
    error text,
    duration_ms integer NOT NULL,
    response text
);
CREATE TABLE public.catalog (
    version bigint NOT NULL
);
CREATE TABLE public.counters (
    project integer NOT NULL,
    lane smallint NOT NULL,
    dimension text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.deleted_issues (
    project integer NOT NULL,
    number integer NOT NULL,
    created_position bigint NOT NULL
);
CREATE TABLE public.deliveries (
    project integer NOT NULL,
    webhook integer NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    next_attempt_at bigint,
    leased_until bigint,
    finished_at bigint,
    attempts integer NOT NULL,
    series_attempts integer NOT NULL
);
CREATE TABLE public.events (
    project integer NOT NULL,
    "position" bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    actor text,
    issue_number integer,
    lane smallint NOT NULL,
    details text
);
CREATE TABLE public.imports (
    slot smallint NOT NULL,
    digest text NOT NULL,
    line bigint NOT NULL,
    CONSTRAINT imports_slot_check CHECK ((slot = 1))
);
CREATE TABLE public.issues (
    project integer NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    lane smallint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    priority smallint NOT NULL,
    title text NOT NULL,
    description text,
    app_version text COLLATE pg_catalog."C",
    build_number text,
    os_version text,
    device_model text,
    platform text COLLATE pg_catalog."C",
    branch text COLLATE pg_catalog."C",
    fingerprint text COLLATE pg_catalog."C",
    occurred_at bigint,
    metadata text,
    sdk_name text,
    sdk_version text,
    submission_id text COLLATE pg_catalog."C",
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
    created_position bigint NOT NULL
);
CREATE TABLE public.keys (
    id uuid NOT NULL,
    project integer,
    kind text NOT NULL,
    name text,
    hash bytea NOT NULL,
    token text,
    ending text NOT NULL,
    scopes text NOT NULL,
    origins text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint,
    revoked_at bigint
);
CREATE TABLE public.links (
    hash bytea NOT NULL,
    user_id uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.nodes (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
CREATE TABLE public.projects (
    seq integer NOT NULL,
    id uuid NOT NULL,
    ordinal bigint NOT NULL,
    slug text COLLATE pg_catalog."C",
    name text NOT NULL,
    is_public boolean NOT NULL,
    default_branch text NOT NULL,
    created_at bigint NOT NULL,
    sdk_config text,
    last_issue_number integer DEFAULT 0 NOT NULL,
    last_event_position bigint DEFAULT 0 NOT NULL,
    last_webhook_number integer DEFAULT 0 NOT NULL,
    expired_position bigint DEFAULT 0 NOT NULL,
    import_slug text COLLATE pg_catalog."C"
)
WITH (fillfactor='50');
ALTER TABLE public.projects ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.projects_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.report_days (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    day text NOT NULL COLLATE pg_catalog."C",
    count integer NOT NULL
);
CREATE TABLE public.reports (
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
    submission_id text COLLATE pg_catalog."C"
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.search (
    project integer NOT NULL,
    number integer NOT NULL,
    tokens tsvector NOT NULL
);
CREATE TABLE public.sign_ins (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    user_agent text,
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL
);
CREATE TABLE public.submissions (
    project integer NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    issue_number integer NOT NULL,
    status text NOT NULL,
    report_count integer NOT NULL
);
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    role text NOT NULL,
    can_see_security boolean NOT NULL,
    project_ids text,
    password_hash text,
    created_at bigint NOT NULL
);
CREATE TABLE public.views (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    project_id uuid NOT NULL,
    query text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.webhooks (
    project integer NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    name text,
    url text NOT NULL,
    event_types text,
    include_security smallint NOT NULL,
    format text NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    paused_reason text,
    secrets text NOT NULL,
    "position" bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_success_at bigint,
    failing_since bigint
);
INSERT INTO public.catalog VALUES (5);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-10-19', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-10-19', 1);
INSERT INTO public.counters VALUES (1, 0, 'platform', 'watchos', 1);
INSERT INTO public.counters VALUES (1, 0, 'app_version', '3.1.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-10-19', '0.3.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 150000, 1);
INSERT INTO public.counters VALUES (1, 0, 'resolved_day', '2026-10-26', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_resolve', 610000, 1);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-10-29', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-10-29', 1);
INSERT INTO public.counters VALUES (1, 0, 'app_version', '3.2.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-10-29', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 350000, 1);
INSERT INTO public.counters VALUES (1, 0, 'priority', 'low', 1);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-11-02', 2);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-02', 2);
INSERT INTO public.counters VALUES (1, 0, 'platform', 'windows', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-02', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'status', 'closed', 2);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 21000, 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 57000, 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-06', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'intake', 'stored', 8);
INSERT INTO public.counters VALUES (1, 0, 'status', 'resolved', 3);
INSERT INTO public.counters VALUES (1, 0, 'category', 'crash', 1);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-11-08', 1);
INSERT INTO public.counters VALUES (1, 0, 'app_version', '3.6.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-08', '0.1.0', 2);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-08', '0.3.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-08', 5);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-08', '0.2.0', 2);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-09', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 100000, 1);
INSERT INTO public.counters VALUES (1, 0, 'resolved_day', '2026-11-09', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_resolve', 100000, 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-09', 3);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-09', '0.3.1', 2);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-10', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-10', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-11', '0.3.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'category', 'ui_ux', 1);
INSERT INTO public.counters VALUES (1, 0, 'platform', 'web', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-11', '0.2.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 24000, 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-12', '0.2.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-12', 2);
INSERT INTO public.counters VALUES (1, 0, 'status', 'acknowledged', 0);
INSERT INTO public.counters VALUES (1, 0, 'priority', 'medium', 2);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-11-06', 0);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-06', 0);
INSERT INTO public.counters VALUES (1, 0, 'status', 'in_progress', 1);
INSERT INTO public.counters VALUES (1, 0, 'app_version', '3.3.0', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_acknowledge', 39000, 0);
INSERT INTO public.counters VALUES (1, 0, 'status', 'open', 0);
INSERT INTO public.counters VALUES (1, 0, 'category', 'bug', 4);
INSERT INTO public.counters VALUES (1, 0, 'priority', 'high', 3);
INSERT INTO public.counters VALUES (1, 0, 'created_day', '2026-11-11', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-11', 1);
INSERT INTO public.counters VALUES (1, 0, 'reports', '', 17);
INSERT INTO public.counters VALUES (1, 0, 'platform', 'ios', 2);
INSERT INTO public.counters VALUES (1, 0, 'app_version', '4.0.0-beta.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-12', '0.3.1', 1);
INSERT INTO public.counters VALUES (1, 0, 'resolved_day', '2026-11-14', 1);
INSERT INTO public.counters VALUES (1, 0, 'time_to_resolve', 990000, 1);
INSERT INTO public.counters VALUES (1, 0, 'reports_day', '2026-11-14', 1);
INSERT INTO public.counters VALUES (1, 0, 'intake', 'joined', 11);
INSERT INTO public.counters VALUES (1, 0, 'sdk:2026-11-14', '0.1.0', 1);
INSERT INTO public.counters VALUES (1, 1, 'priority', 'medium', 1);
INSERT INTO public.counters VALUES (1, 1, 'created_day', '2026-11-06', 1);
INSERT INTO public.counters VALUES (1, 1, 'reports_day', '2026-11-06', 1);
INSERT INTO public.counters VALUES (1, 1, 'app_version', '3.3.0', 1);
INSERT INTO public.counters VALUES (1, 1, 'time_to_acknowledge', 39000, 1);
INSERT INTO public.counters VALUES (1, 1, 'category', 'security', 2);
INSERT INTO public.counters VALUES (1, 1, 'created_day', '2026-11-11', 1);
INSERT INTO public.counters VALUES (1, 1, 'reports_day', '2026-11-11', 1);
INSERT INTO public.counters VALUES (1, 1, 'reports', '', 2);
INSERT INTO public.counters VALUES (1, 1, 'platform', 'ios', 2);
INSERT INTO public.counters VALUES (1, 1, 'app_version', '4.0.0-beta.1', 1);
INSERT INTO public.counters VALUES (1, 1, 'status', 'open', 0);
INSERT INTO public.counters VALUES (1, 1, 'status', 'acknowledged', 2);
INSERT INTO public.counters VALUES (1, 1, 'time_to_acknowledge', 320000, 1);
INSERT INTO public.counters VALUES (1, 1, 'priority', 'high', 0);
INSERT INTO public.counters VALUES (1, 1, 'priority', 'critical', 1);
INSERT INTO public.events VALUES (1, 1, 'issue.created', 1792414127779, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 1, 0, NULL);
INSERT INTO public.events VALUES (1, 2, 'issue.status_changed', 1792565357551, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 1, 0, '[[{"member":"status","from":"open","to":"in_progress"}],null,null]');
INSERT INTO public.events VALUES (1, 3, 'issue.status_changed', 1793023668535, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 1, 0, '[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"3.3.1","buildNumber":"2118"}}],null,null]');
INSERT INTO public.events VALUES (1, 4, 'issue.created', 1793275488185, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 2, 0, NULL);
INSERT INTO public.events VALUES (1, 5, 'issue.status_changed', 1793627028000, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 2, 0, '[[{"member":"status","from":"open","to":"closed"}],null,null]');
INSERT INTO public.events VALUES (1, 6, 'issue.created', 1793631487807, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 3, 0, NULL);
INSERT INTO public.events VALUES (1, 7, 'issue.created', 1793645470029, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 4, 0, NULL);
INSERT INTO public.events VALUES (1, 8, 'issue.status_changed', 1793666255770, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 4, 0, '[[{"member":"status","from":"open","to":"closed"}],"The same as an older issue; that one is fixed.",null]');
INSERT INTO public.events VALUES (1, 9, 'issue.status_changed', 1793688082173, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 3, 0, '[[{"member":"status","from":"open","to":"in_progress"}],null,null]');
INSERT INTO public.events VALUES (1, 10, 'issue.created', 1793955866103, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 5, 1, NULL);
INSERT INTO public.events VALUES (1, 11, 'issue.status_changed', 1793994503647, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 5, 1, '[[{"member":"status","from":"open","to":"acknowledged"}],"Seen here too.",null]');
INSERT INTO public.events VALUES (1, 12, 'issue.created', 1794132240864, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 13, 'issue.reported', 1794136228219, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 14, 'issue.reported', 1794147038900, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 15, 'issue.reported', 1794154650849, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 16, 'issue.reported', 1794170091358, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 17, 'issue.reported', 1794204557317, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 18, 'issue.reported', 1794215724165, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, NULL);
INSERT INTO public.events VALUES (1, 19, 'issue.status_changed', 1794233669282, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 6, 0, '[[{"member":"status","from":"open","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.0-beta.1","buildNumber":"2196"}}],null,null]');
INSERT INTO public.events VALUES (1, 20, 'issue.reported', 1794248877488, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]');
INSERT INTO public.events VALUES (1, 21, 'issue.reported', 1794273156668, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]');
INSERT INTO public.events VALUES (1, 22, 'issue.created', 1794407727875, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 7, 1, NULL);
INSERT INTO public.events VALUES (1, 23, 'issue.created', 1794408435791, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 8, 0, NULL);
INSERT INTO public.events VALUES (1, 24, 'issue.status_changed', 1794432843891, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 8, 0, '[[{"member":"status","from":"open","to":"acknowledged"},{"member":"title","from":"Old","to":"New"}],"Reproduced on the second try.",null]');
INSERT INTO public.events VALUES (1, 25, 'issue.reported', 1794451864782, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, '[[],null,"3.4.0 (2146) is older than the fix, 4.0.0-beta.1 (2196): a late report."]');
INSERT INTO public.events VALUES (1, 26, 'issue.reported', 1794482322156, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]');
INSERT INTO public.events VALUES (1, 27, 'issue.status_changed', 1794620657853, 'key_01m7ewwe7kggn9fxxttqr6ckt7', 3, 0, '[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.1","buildNumber":"2224"}}],"Reverted the cache change.",null]');
INSERT INTO public.events VALUES (1, 28, 'issue.reported', 1794687239793, 'key_01m7ewwe7kgp6s4hdx7ys8z7e1', 6, 0, '[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]');
INSERT INTO public.events VALUES (1, 29, 'issue.updated', 1794723000000, NULL, 5, 1, '[[{"member":"category","from":"bug","to":"security"}],null,null]');
INSERT INTO public.events VALUES (1, 30, 'issue.updated', 1794723100000, NULL, 7, 1, '[[{"member":"category","from":"bug","to":"security"}],"Anyone can read it.",null]');
INSERT INTO public.events VALUES (1, 31, 'issue.status_changed', 1794723200000, NULL, 8, 0, '[[{"member":"status","from":"acknowledged","to":"in_progress"}],null,null]');
INSERT INTO public.events VALUES (1, 32, 'issue.status_changed', 1794723300000, NULL, 7, 1, '[[{"member":"status","from":"open","to":"acknowledged"}],null,null]');
INSERT INTO public.events VALUES (1, 33, 'issue.updated', 1794723400000, NULL, 5, 1, '[[],"Looked into.",null]');
INSERT INTO public.events VALUES (1, 34, 'issue.updated', 1794723500000, NULL, 3, 0, '[[],"Confirmed.",null]');
INSERT INTO public.events VALUES (1, 35, 'issue.updated', 1794723600000, NULL, 7, 1, '[[{"member":"priority","from":"high","to":"critical"}],null,null]');
INSERT INTO public.issues VALUES (1, 1, '01a15435-16a3-8383-ad56-3a82e2022258', 0, 'resolved', 'bug', 2, 'Ticked items come back on the list “Household”', 'I tick sourdough, walk to the next aisle, and it is there again. We own a lot of sourdough now.', '3.1.1', 2068, 'watchOS 26.1', 'Apple Watch Series 11', 'watchos', 'release/3.1', NULL, NULL, '{"freeMemoryMb":901,"isOnline":false,"locale":"pl-PL","plan":"family","recipes":559}', '@bugle/sdk', '0.3.1', 'mwhfiv8c-9-0-1', 1, 1792414127779, '3.3.1', 2118, 1793023668535, 1792565357551, 1793023668535, 1792414127779, 1793023668535, 3, 1);
INSERT INTO public.issues VALUES (1, 2, '01a1878c-67b9-8383-ad56-3ac81807ddd0', 0, 'closed', 'bug', 2, 'Barcode of oat milk is recognised as printer paper', 'Scanned three different packets. The number under the bars is read correctly, the product is not.', '3.2.0', 2079, 'iPadOS 26.1', 'iPhone 17', 'ios', 'release/3.2', NULL, NULL, '{"freeMemoryMb":3857,"isOnline":true,"locale":"fr-FR","plan":"free","recipes":243}', '@bugle/sdk', '0.1.0', 'mwhfiv8c-9-1-1', 1, 1793275488185, NULL, NULL, NULL, 1793627028000, NULL, 1793275488185, 1793627028000, 2, 4);
INSERT INTO public.issues VALUES (1, 3, '01a19cc4-873f-8383-ad56-3b762826ce11', 0, 'resolved', 'bug', 1, 'Edits to Pad Thai are lost on a slow line', 'I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'mwhfiv8c-9-4-1', 1, 1793631487807, '4.0.1', 2224, 1794620657853, 1793688082173, 1794620657853, 1793631487807, 1794723500000, 4, 6);
INSERT INTO public.issues VALUES (1, 4, '01a19d99-e14d-8383-ad56-3bff9c0d38fc', 0, 'closed', 'bug', 0, 'Grams and ounces are mixed in Goulash', 'Settings say metric. The first four lines are metric, the fifth is not.', '3.3.0', 2107, 'Windows 10 22H2', 'ThinkPad X1', 'windows', 'release/3.3', NULL, 1793642830029, '{"isOnline":true,"locale":"pt-BR","plan":"free","recipes":495,"theme":"light"}', '@bugle/sdk', '0.1.0', 'mwhfiv8c-9-6-1', 1, 1793645470029, NULL, NULL, NULL, 1793666255770, NULL, 1793645470029, 1793666255770, 2, 7);
INSERT INTO public.issues VALUES (1, 5, '01a1b01a-25f7-8383-ad56-386ddf026047', 1, 'acknowledged', 'security', 1, 'Undo brings back the wrong item on Meal plan', '1. Remove coconut cream
2. Remove anything else
3. Undo once
coconut cream comes back, not the other one.', '3.3.0', 2107, 'iOS 26.0.1', 'iPhone 15', 'ios', 'release/3.3', NULL, 1793954786103, '{"freeMemoryMb":934,"isOnline":true,"locale":"de-DE","plan":"free","recipes":165,"theme":"light"}', '@bugle/sdk', '0.1.0', 'mwhfiv8c-9-3-1', 1, 1793955866103, NULL, NULL, NULL, 1793994503647, NULL, 1793955866103, 1794723400000, 4, 10);
INSERT INTO public.issues VALUES (1, 6, '01a1ba9d-69e0-8383-ad56-380c3f6fc816', 0, 'resolved', 'crash', 2, 'Deadlock in ListStore: the app is ended by the watchdog', 'Main thread waits for ListStore.writeQueue, which waits for the main thread.
Thread 0: ListStore.sync
Thread 7: ListStore.didChange → DispatchQueue.main.sync', '3.6.0', 2185, 'iOS 18.7', 'iPhone 17', 'ios', 'release/3.6', 'crash:mwhfiv8c-9-7', 1794132000864, '{"isOnline":true,"locale":"ja-JP","plan":"free","recipes":319}', '@bugle/sdk', '0.1.0', 'mwhfiv8c-9-7-1', 12, 1794687239793, '4.0.0-beta.1', 2196, 1794233669282, 1794233669282, 1794233669282, 1794132240864, 1794233669282, 2, 12);
INSERT INTO public.issues VALUES (1, 7, '01a1cb09-0303-8383-ad56-3a42e0977479', 1, 'acknowledged', 'security', 3, 'Edits to Lentil soup are lost after signing in again', 'I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.', '4.0.0-beta.1', 2196, 'iOS 26.0.1', 'iPhone 16 Pro', 'ios', 'main', NULL, NULL, '{"isOnline":false,"locale":"en-GB","plan":"family","recipes":882}', '@bugle/sdk', '0.3.1', 'mwhfiv8c-9-2-1', 1, 1794407727875, NULL, NULL, NULL, 1794723300000, NULL, 1794407727875, 1794723600000, 4, 22);
INSERT INTO public.issues VALUES (1, 8, '01a1cb13-d04f-8383-ad56-396760c50281', 0, 'in_progress', 'ui_ux', 1, 'The screen goes to sleep in Cook mode', 'With dough on both hands there is no polite way to wake it.', '4.0.0-beta.1', 2196, 'Chrome 142 on macOS 26', 'Desktop', 'web', 'main', NULL, NULL, '{"isOnline":false,"locale":"ja-JP","plan":"plus","recipes":661}', '@bugle/sdk', '0.2.0', 'mwhfiv8c-9-5-1', 1, 1794408435791, NULL, NULL, NULL, 1794432843891, NULL, 1794408435791, 1794723200000, 3, 23);
INSERT INTO public.keys VALUES ('01a1ddce-3a85-8f81-91c0-394db883bebb', 1, 'public', 'iOS app', '\x50dc706c43f8bff2fd1a69d8243d667ffba60f2faa8d7fe92d5609de720899c6', 'bgl_pub_oGGOLV5xAZSMqXrNLE6WBE3NQ80rlb3hShn8', 'Shn8', '[]', '[]', 1794722642565, NULL, NULL);
INSERT INTO public.keys VALUES ('01a1ddce-3c5d-8e6b-b175-e5d7110fc3a2', 1, 'secret', 'Team', '\x1ed0644e5a38c5a2a80da38f7e065708ce63ea55fba1d45c300cda86fda27923', NULL, 'uyyr', '["issues:read"]', '[]', 1794722643037, NULL, NULL);
INSERT INTO public.projects OVERRIDING SYSTEM VALUE VALUES (1, '01a1ddce-38f3-8383-ad56-3ab43d0f28e5', 943412622, 'weather', 'Weather', 't', 'main', 1794722642163, '{"enabled":true,"minSdkVersion":null,"features":{"newReporter":true},"crash":{"enabled":true,"sampleRate":1},"refreshAfterSeconds":3600}', 8, 35, 1, 0, NULL);
INSERT INTO public.report_days VALUES (1, 6, '2026-11-08', 4);
INSERT INTO public.report_days VALUES (1, 6, '2026-11-09', 3);
INSERT INTO public.report_days VALUES (1, 6, '2026-11-10', 1);
INSERT INTO public.report_days VALUES (1, 6, '2026-11-12', 2);
INSERT INTO public.report_days VALUES (1, 6, '2026-11-14', 1);
INSERT INTO public.reports VALUES (1, 6, 2, 1794136228219, NULL, '3.5.1', 2171, 'iOS 26.1', 'iPhone 15', 'ios', 'release/3.5', 'mwhfiv8c-9-7-8');
INSERT INTO public.reports VALUES (1, 6, 3, 1794147038900, NULL, '3.5.0', 2157, 'iPadOS 26.1', 'iPad Air (M3)', 'ios', 'release/3.5', 'mwhfiv8c-9-7-11');
INSERT INTO public.reports VALUES (1, 6, 4, 1794154650849, 1794154530849, '3.6.0', 2185, 'iOS 26.0.1', 'iPad Air (M3)', 'ios', 'release/3.6', 'mwhfiv8c-9-7-12');
INSERT INTO public.reports VALUES (1, 6, 5, 1794170091358, NULL, '3.3.2', 2132, 'iOS 18.7', 'iPhone 13 mini', 'ios', 'release/3.3', 'mwhfiv8c-9-7-9');
INSERT INTO public.reports VALUES (1, 6, 6, 1794204557317, NULL, '3.5.1', 2171, 'iOS 26.0.1', 'iPhone 16 Pro', 'ios', 'release/3.5', 'mwhfiv8c-9-7-10');
INSERT INTO public.reports VALUES (1, 6, 7, 1794215724165, NULL, '3.5.1', 2171, 'iPadOS 26.1', 'iPhone 15', 'ios', 'release/3.5', 'mwhfiv8c-9-7-5');
INSERT INTO public.reports VALUES (1, 6, 8, 1794248877488, NULL, '3.6.0', 2185, 'iOS 26.0.1', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfiv8c-9-7-3');
INSERT INTO public.reports VALUES (1, 6, 9, 1794273156668, NULL, '3.6.0', 2185, 'iOS 18.7', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfiv8c-9-7-7');
INSERT INTO public.reports VALUES (1, 6, 10, 1794451864782, NULL, '3.4.0', 2146, 'iOS 18.7', 'iPhone 15', 'ios', 'release/3.4', 'mwhfiv8c-9-7-4');
INSERT INTO public.reports VALUES (1, 6, 11, 1794482322156, 1794479922156, '3.6.0', 2185, 'iOS 26.0.1', 'iPhone 13 mini', 'ios', 'release/3.6', 'mwhfiv8c-9-7-2');
INSERT INTO public.reports VALUES (1, 6, 12, 1794687239793, NULL, '3.6.0', 2185, 'iOS 26.0.1', 'iPhone 15', 'ios', 'release/3.6', 'mwhfiv8c-9-7-6');
INSERT INTO public.schema_version VALUES (26);
INSERT INTO public.search VALUES (1, 1, '''a'':25 ''again'':22 ''aisle'':17 ''and'':18 ''back'':4 ''come'':3 ''household'':8 ''i'':10 ''is'':20 ''it'':19 ''items'':2 ''list'':7 ''lot'':26 ''next'':16 ''now'':29 ''of'':27 ''on'':5 ''own'':24 ''sourdough'':12,28 ''the'':6,15 ''there'':21 ''tick'':11 ''ticked'':1 ''to'':14 ''walk'':13 ''we'':23 ''¦'':9 ''0.1.0''');
INSERT INTO public.search VALUES (1, 2, '''as'':7 ''barcode'':1 ''bars'':19 ''correctly'':22 ''different'':13 ''is'':5,20,25 ''milk'':4 ''not'':26 ''number'':16 ''oat'':3 ''of'':2 ''packets'':14 ''paper'':9 ''printer'':8 ''product'':24 ''read'':21 ''recognised'':6 ''scanned'':11 ''the'':15,18,23 ''three'':12 ''under'':17 ''¦'':10 ''0.1.0''');
INSERT INTO public.search VALUES (1, 3, '''a'':8,28 ''all'':14 ''and'':22 ''are'':5 ''back'':27 ''edits'':1 ''history'':31 ''i'':12 ''later'':30 ''line'':10 ''lost'':6 ''minute'':29 ''old'':24,35 ''on'':7 ''only'':33 ''pad'':3 ''pressed'':17 ''rewrote'':13 ''save'':18 ''saw'':19 ''shows'':32 ''slow'':9 ''steps'':16 ''text'':25 ''thai'':4 ''the'':15,20,23,34 ''tick'':21 ''to'':2 ''version'':36 ''was'':26 ''¦'':11 ''0.1.0''');
INSERT INTO public.search VALUES (1, 4, '''and'':2 ''are'':4,16 ''fifth'':19 ''first'':13 ''four'':14 ''goulash'':7 ''grams'':1 ''in'':6 ''is'':20 ''lines'':15 ''metric'':11,17 ''mixed'':5 ''not'':21 ''ounces'':3 ''say'':10 ''settings'':9 ''the'':12,18 ''¦'':8 ''0.1.0''');
INSERT INTO public.search VALUES (1, 5, '''1'':11 ''2'':15 ''3'':19 ''anything'':17 ''back'':3,25 ''brings'':2 ''coconut'':13,22 ''comes'':24 ''cream'':14,23 ''else'':18 ''item'':6 ''meal'':8 ''not'':26 ''on'':7 ''once'':21 ''one'':29 ''other'':28 ''plan'':9 ''remove'':12,16 ''the'':4,27 ''undo'':1,20 ''wrong'':5 ''¦'':10 ''1.1.0''');
INSERT INTO public.search VALUES (1, 6, '''0'':25 ''7'':29 ''app'':5 ''by'':8 ''deadlock'':1 ''didchange'':31 ''dispatchqueue'':32 ''ended'':7 ''for'':15,20 ''in'':2 ''is'':6 ''liststore'':3,16,26,30 ''main'':12,22,33 ''sync'':27,34 ''the'':4,9,21 ''thread'':13,23,24,28 ''waits'':14,19 ''watchdog'':10 ''which'':18 ''writequeue'':17 ''¦'':11 ''0.1.0''');
INSERT INTO public.search VALUES (1, 7, '''a'':28 ''after'':7 ''again'':10 ''all'':14 ''and'':22 ''are'':5 ''back'':27 ''edits'':1 ''history'':31 ''i'':12 ''in'':9 ''later'':30 ''lentil'':3 ''lost'':6 ''minute'':29 ''old'':24,35 ''only'':33 ''pressed'':17 ''rewrote'':13 ''save'':18 ''saw'':19 ''shows'':32 ''signing'':8 ''soup'':4 ''steps'':16 ''text'':25 ''the'':15,20,23,34 ''tick'':21 ''to'':2 ''version'':36 ''was'':26 ''¦'':11 ''1.1.0''');
INSERT INTO public.search VALUES (1, 8, '''both'':13 ''cook'':7 ''dough'':11 ''goes'':3 ''hands'':14 ''in'':6 ''is'':16 ''it'':22 ''mode'':8 ''no'':17 ''on'':12 ''polite'':18 ''screen'':2 ''sleep'':5 ''the'':1 ''there'':15 ''to'':4,20 ''wake'':21 ''way'':19 ''with'':10 ''¦'':9 ''0.1.0''');
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-0-1', '\xad53346936e98aeabd6775521c591177', 1, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-1-1', '\xfbe26368a6d54661751c2d84c88b54df', 2, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-2-1', '\xc969dc92990559000720213f2a4b8bd7', 7, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-3-1', '\x115422434f53a1606a34f478fd660e04', 5, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-4-1', '\x7165ca8db522562c1c422dc83e42fdbf', 3, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-5-1', '\xef07bf7591c0a42a26c4baf3bc5f22ce', 8, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-6-1', '\x7aa0480792fa350eb2ecc2d9e33375f5', 4, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-1', '\xfaf313a6c92423f2e32f8a20be2be291', 6, 'open', 1);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-10', '\x5f3f59334d2670ad7f229b023430a681', 6, 'open', 6);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-11', '\x8a56783aeb3527fd81bef806930b066d', 6, 'open', 3);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-12', '\x3797d5b576ecf20039a449e0cf8e0adf', 6, 'open', 4);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-2', '\xe4b448786f3e6e9cbb469daf40e29ac1', 6, 'resolved', 11);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-3', '\x586e7ebd454a7c82629e299b569b9fbe', 6, 'resolved', 8);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-4', '\x31d01259791d7194ac942dbc4bc68124', 6, 'resolved', 10);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-5', '\xf0efe76cd3af3f9675fa2e0cf29cfab7', 6, 'open', 7);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-6', '\x9fed00b0ce37a50bc1572b53cd37d52a', 6, 'resolved', 12);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-7', '\xd88c07dfd1fb304458d36a1c412fef3d', 6, 'resolved', 9);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-8', '\x355373f5f9a8b402a5375ad008820f50', 6, 'open', 2);
INSERT INTO public.submissions VALUES (1, 'mwhfiv8c-9-7-9', '\xee62d49bceec2db9d0186ce4724e80e6', 6, 'open', 5);
INSERT INTO public.webhooks VALUES (1, 1, '01a1ddce-3df2-8383-ad56-388ff17e456c', 'Chat', 'https://hooks.example/bugle', NULL, 0, 'standard', 'active', NULL, '[{"secret":"whsec_Z2T3/4pD8F3OBD8lTNMjjc5gxDwpVcLhe/Nm2HCbYZs=","until":null}]', 0, 1794722643442, 1794722643442, NULL, NULL);
SELECT pg_catalog.setval('public.projects_seq_seq', 1, true);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (project, webhook, "position", number);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (project, lane, dimension, value);
ALTER TABLE ONLY public.deleted_issues
    ADD CONSTRAINT deleted_issues_pkey PRIMARY KEY (project, number);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (project, webhook, "position");
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (project, "position");
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_pkey PRIMARY KEY (project, number);
ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_project_id_key UNIQUE (project, id);
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_id_key UNIQUE (id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.report_days
    ADD CONSTRAINT report_days_pkey PRIMARY KEY (project, issue_number, day);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (project, issue_number, number);
ALTER TABLE ONLY public.search
    ADD CONSTRAINT search_pkey PRIMARY KEY (number, project);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (project, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (project, number);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_project_id_key UNIQUE (project, id);
CREATE INDEX deliveries_due ON public.deliveries USING btree (project, webhook, next_attempt_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX deliveries_failed ON public.deliveries USING btree (project, webhook, finished_at) WHERE (status = 'failed'::text);
CREATE INDEX deliveries_leased ON public.deliveries USING btree (project, webhook, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX events_by_issue ON public.events USING btree (project, issue_number, "position") WHERE (type <> 'issue.created'::text);
CREATE UNIQUE INDEX issues_by_fingerprint ON public.issues USING btree (project, lane, fingerprint) WHERE (fingerprint IS NOT NULL);
CREATE INDEX issues_by_priority ON public.issues USING btree (project, lane, priority, number);
CREATE INDEX issues_by_reports ON public.issues USING btree (project, lane, report_count, number);
CREATE INDEX issues_by_status ON public.issues USING btree (project, lane, status, number);
CREATE INDEX issues_by_update ON public.issues USING btree (project, lane, updated_at, number);
CREATE INDEX keys_by_project ON public.keys USING btree (project);
CREATE INDEX links_by_user ON public.links USING btree (user_id);
CREATE INDEX search_by_token ON public.search USING gin (tokens) WITH (gin_pending_list_limit='2048');
CREATE INDEX sign_ins_by_user ON public.sign_ins USING btree (user_id);
CREATE INDEX views_by_user ON public.views USING btree (user_id);
  -- NULL: the same as position. It stays when an event leaves the lane.
  ALTER TABLE public.events ADD COLUMN open_position bigint;
  CREATE INDEX events_open ON public.events (project, (coalesce(open_position, position))) WHERE lane = 0;

  ALTER TABLE public.projects ADD COLUMN last_open_position bigint NOT NULL DEFAULT 0;
  ALTER TABLE public.projects ADD COLUMN expired_open_position bigint NOT NULL DEFAULT 0;
  UPDATE public.projects SET last_open_position = last_event_position, expired_open_position = expired_position;
  ALTER TABLE public.issues ADD COLUMN unconfirmed_version text;
  CREATE INDEX reports_by_version ON public.reports (project, app_version) WHERE app_version IS NOT NULL;
  DROP INDEX public.search_by_token;

  UPDATE public.search s SET tokens = coalesce((
      SELECT string_agg('''' || i.lane || '.' || s.project || '.' || s.number / 16384 || ':' || t.lexeme || '''' ||
        coalesce(':' || array_to_string(t.positions, ','), ''), ' ')
      FROM unnest(s.tokens) t WHERE t.lexeme <> '¦' AND t.lexeme NOT LIKE chr(57344) || '%'
    ), '')::tsvector
  FROM public.issues i WHERE i.project = s.project AND i.number = s.number;

  CREATE INDEX search_by_token ON public.search USING gin (tokens) WITH (gin_pending_list_limit = 2048);

  CREATE INDEX events_of_history ON public.events (project, issue_number, position)
    WHERE type <> 'issue.created' AND type <> 'issue.reported';

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
    -- Whether values that are no longer kept by name are counted here.
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

  INSERT INTO report_sources (project, issue_number, app_version, build_number, branch, count, regressions, first_at, last_at)
    SELECT r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, ''), count(*), 0, min(r.received_at), max(r.received_at)
    FROM reports r JOIN issues i ON i.project = r.project AND i.number = r.issue_number WHERE TRUE
    GROUP BY r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, '') ON CONFLICT DO NOTHING;
  UPDATE report_sources AS s SET regressions = g.regressions FROM (
      SELECT r.project, r.issue_number, coalesce(r.app_version, '') AS app_version, coalesce(r.build_number, '') AS build_number, coalesce(r.branch, '') AS branch,
        count(*) AS regressions
      FROM (
        SELECT e.project, e.issue_number,
          (SELECT min(o.number) FROM reports o WHERE o.project = e.project AND o.issue_number = e.issue_number AND o.received_at = e.at) AS number
        FROM events e JOIN issues i ON i.project = e.project AND i.number = e.issue_number
        WHERE e.type = 'issue.regressed' AND e.details LIKE '[[{%' AND TRUE) x
      JOIN reports r ON r.project = x.project AND r.issue_number = x.issue_number AND r.number = x.number
      GROUP BY r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, '')) g
    WHERE s.project = g.project AND s.issue_number = g.issue_number AND s.app_version = g.app_version AND s.build_number = g.build_number AND s.branch = g.branch;
  UPDATE issues AS i SET (last_seen_version, last_seen_build) = (
      SELECT r.app_version, r.build_number FROM reports r WHERE i.project = r.project AND i.number = r.issue_number AND r.app_version <> ''
      ORDER BY r.number DESC LIMIT 1)
    WHERE i.report_count > 1 AND TRUE;
  UPDATE issues AS i SET on_default_branch = CASE
      WHEN i.branch = (SELECT p.default_branch FROM projects p WHERE p.seq = i.project) OR EXISTS (SELECT 1 FROM report_sources s WHERE i.project = s.project AND i.number = s.issue_number AND s.branch = (SELECT p.default_branch FROM projects p WHERE p.seq = i.project)) THEN 1
      WHEN i.branch <> '' OR EXISTS (SELECT 1 FROM report_sources s WHERE i.project = s.project AND i.number = s.issue_number AND s.branch <> '') THEN 0 END
    WHERE (i.branch <> '' OR i.report_count > 1) AND TRUE;
  INSERT INTO seen_values (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at,
      last_at, includes_rest)
    SELECT project, lane, dimension, kept, sum(reports), sum(new_issues), sum(fixed_issues), sum(regressions),
      CASE WHEN max(place) > 1000 THEN 8640000000000000 ELSE min(first_at) END,
      CASE WHEN max(place) > 1000 THEN 0 ELSE max(last_at) END,
      CASE WHEN max(place) > 1000 THEN 1 ELSE 0 END
    FROM (SELECT ranked.*, CASE WHEN place <= 1000 THEN value ELSE 'other' END AS kept FROM (
      SELECT summed.*, row_number() OVER (PARTITION BY project, lane, dimension
        ORDER BY CASE WHEN value = 'other' THEN 1 ELSE 0 END, reports DESC, last_at DESC, value) AS place
      FROM (
        SELECT project, lane, dimension, value, sum(reports) AS reports, sum(new_issues) AS new_issues,
          sum(fixed_issues) AS fixed_issues, sum(regressions) AS regressions, min(first_at) AS first_at, max(last_at) AS last_at
        FROM (SELECT i.project AS project, i.lane AS lane, 'version' AS dimension, i.app_version AS value, 1 AS reports,
       1 AS new_issues, 0 AS fixed_issues, 0 AS regressions, i.created_at AS first_at, i.created_at AS last_at
     FROM issues i WHERE i.app_version <> '' AND TRUE UNION ALL SELECT i.project, i.lane, 'version', s.app_version, s.count, 0, 0, s.regressions, s.first_at, s.last_at
     FROM report_sources s JOIN issues i ON i.project = s.project AND i.number = s.issue_number WHERE s.app_version <> '' AND TRUE UNION ALL SELECT i.project AS project, i.lane AS lane, 'build' AS dimension, '[' || to_json(i.app_version) || ',' || to_json(i.build_number) || ']' AS value, 1 AS reports,
       1 AS new_issues, 0 AS fixed_issues, 0 AS regressions, i.created_at AS first_at, i.created_at AS last_at
     FROM issues i WHERE i.app_version <> '' AND i.build_number <> '' AND TRUE UNION ALL SELECT i.project, i.lane, 'build', '[' || to_json(s.app_version) || ',' || to_json(s.build_number) || ']', s.count, 0, 0, s.regressions, s.first_at, s.last_at
     FROM report_sources s JOIN issues i ON i.project = s.project AND i.number = s.issue_number WHERE s.app_version <> '' AND s.build_number <> '' AND TRUE UNION ALL SELECT i.project AS project, i.lane AS lane, 'branch' AS dimension, i.branch AS value, 1 AS reports,
       1 AS new_issues, 0 AS fixed_issues, 0 AS regressions, i.created_at AS first_at, i.created_at AS last_at
     FROM issues i WHERE i.branch <> '' AND TRUE UNION ALL SELECT i.project, i.lane, 'branch', s.branch, s.count, 0, 0, s.regressions, s.first_at, s.last_at
     FROM report_sources s JOIN issues i ON i.project = s.project AND i.number = s.issue_number WHERE s.branch <> '' AND TRUE UNION ALL SELECT i.project, i.lane, 'version', i.fixed_in_version, 0, 0, 1, 0, 8640000000000000, 0
     FROM issues i WHERE i.fixed_in_version IS NOT NULL AND TRUE) contributions
        GROUP BY project, lane, dimension, value) summed) ranked) named
    GROUP BY project, lane, dimension, kept;
  INSERT INTO counters (project, lane, dimension, value, count)
    SELECT project, lane, dimension, kept, sum(count)
    FROM (SELECT ranked.*, CASE WHEN place <= 1000 THEN value ELSE 'other' END AS kept FROM (
      SELECT counted.*, row_number() OVER (PARTITION BY project, lane, dimension ORDER BY count DESC, value) AS place
      FROM (SELECT i.project AS project, i.lane AS lane, 'os_version' AS dimension, i.os_version AS value, count(*) AS count
       FROM issues i WHERE i.os_version IS NOT NULL AND TRUE GROUP BY 1, 2, 4 UNION ALL SELECT i.project AS project, i.lane AS lane, 'device_model' AS dimension, i.device_model AS value, count(*) AS count
       FROM issues i WHERE i.device_model IS NOT NULL AND TRUE GROUP BY 1, 2, 4) counted) ranked) named
    WHERE TRUE GROUP BY project, lane, dimension, kept ON CONFLICT DO NOTHING;
ALTER TABLE projects SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE counters SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE seen_values SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE report_sources SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE webhooks SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE nodes SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE issues SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE deliveries SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE attempts SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE submissions SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE events SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);
  ALTER TABLE reports SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);
  ALTER TABLE search SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);

  -- NULL in these columns of a count: zero. An issue's title and description are those of its first report until edited_at.
  ALTER TABLE issues ADD COLUMN deleted_reports integer, ADD COLUMN edited_at bigint, ADD COLUMN report_words integer;

  -- text_number says which text of the issue it has; NULL: it was stored before texts were; 0: its text was redacted.
  ALTER TABLE reports ADD COLUMN id uuid, ADD COLUMN text_number integer, ADD COLUMN metadata text,
    ADD COLUMN sdk_name text, ADD COLUMN sdk_version text;

  -- NULL: the same as report_count. It is another after reports were deleted.
  ALTER TABLE submissions ADD COLUMN report_number integer;
  -- When the report arrived, once it is deleted.
  ALTER TABLE submissions ADD COLUMN received_at bigint;

  -- The distinct texts of an issue's reports. The first one is here only after the issue was edited.
  CREATE TABLE report_texts (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    number integer NOT NULL,
    -- The first report that had it.
    report_number integer NOT NULL,
    -- How many words of it are searched; 0: none.
    words integer NOT NULL,
    hash bytea NOT NULL,
    -- NULL: redacted.
    title text,
    description text,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX report_texts_by_hash ON report_texts (project, issue_number, hash);
  ALTER TABLE report_texts SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);

  UPDATE reports r SET id = (lpad(to_hex(r.received_at & 281474976710655), 12, '0')
           || lpad(to_hex(32768 | (p.ordinal >> 20)), 4, '0') || lpad(to_hex(32768 | ((p.ordinal >> 6) & 16383)), 4, '0')
           || lpad(to_hex(((p.ordinal & 63) << 2) | floor(random() * 4)::bigint), 2, '0')
           || right(gen_random_uuid()::text, 10))::uuid
         FROM projects p WHERE p.seq = r.project AND r.id IS NULL AND TRUE;
  UPDATE issues i SET edited_at = e.at FROM (
           SELECT e.project, e.issue_number, min(e.at) AS at FROM events e JOIN projects p ON p.seq = e.project
           WHERE e.type IN ('issue.updated', 'issue.status_changed')
  AND (e.details LIKE '%"member":"title"%' OR e.details LIKE '%"member":"description"%') AND TRUE GROUP BY 1, 2) e
         WHERE e.project = i.project AND e.issue_number = i.number AND i.edited_at IS NULL;
  CREATE UNIQUE INDEX reports_by_id ON reports (id, project);
  -- Whether another report has the text of a deleted one. The first text is that of the first report, which stays.
  CREATE INDEX reports_by_text ON reports (project, issue_number, text_number) WHERE text_number > 1;
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
  ALTER TABLE report_sources SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);

  INSERT INTO report_sources (project, issue_number, app_version, build_number, branch, day, lane, count, regressions, first_at, last_at)
    SELECT r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, ''), to_char(to_timestamp(r.received_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), i.lane, count(*), 0, min(r.received_at), max(r.received_at)
    FROM reports r JOIN issues i ON i.project = r.project AND i.number = r.issue_number WHERE TRUE
    GROUP BY r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, ''), to_char(to_timestamp(r.received_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), i.lane ON CONFLICT DO NOTHING;
  UPDATE report_sources AS s SET regressions = g.regressions FROM (
      SELECT r.project, r.issue_number, coalesce(r.app_version, '') AS app_version, coalesce(r.build_number, '') AS build_number, coalesce(r.branch, '') AS branch, to_char(to_timestamp(r.received_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
        count(*) AS regressions
      FROM (
        SELECT e.project, e.issue_number,
          (SELECT min(o.number) FROM reports o WHERE o.project = e.project AND o.issue_number = e.issue_number AND o.received_at = e.at) AS number
        FROM events e JOIN issues i ON i.project = e.project AND i.number = e.issue_number
        WHERE e.type = 'issue.regressed' AND e.details LIKE '[[{%' AND TRUE) x
      JOIN reports r ON r.project = x.project AND r.issue_number = x.issue_number AND r.number = x.number
      GROUP BY r.project, r.issue_number, coalesce(r.app_version, ''), coalesce(r.build_number, ''), coalesce(r.branch, ''), to_char(to_timestamp(r.received_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')) g
    WHERE s.project = g.project AND s.issue_number = g.issue_number AND s.app_version = g.app_version AND s.build_number = g.build_number AND s.branch = g.branch AND s.day = g.day;
-- The id of a person as text, as in the counters.
  ALTER TABLE issues ADD COLUMN assignee_id text COLLATE "C";
  CREATE INDEX issues_by_assignee ON issues (assignee_id, project, lane, number) WHERE assignee_id IS NOT NULL;

  -- People whose assignments are to be checked. A check that is requested again while one is under way is another round.
  CREATE TABLE unassignments (
    user_id text COLLATE "C" PRIMARY KEY,
    round integer NOT NULL
  );

  ALTER TABLE projects ADD COLUMN file_bytes bigint NOT NULL DEFAULT 0;

  CREATE TABLE attachments (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    -- The number of the report × 16 + the place in its declaration.
    number bigint NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    declared_type text NOT NULL,
    size bigint NOT NULL,
    received_at bigint,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX attachments_by_id ON attachments (project, id);
  CREATE INDEX attachments_by_digest ON attachments (project, digest) WHERE received_at IS NOT NULL;
  -- Files that were declared and never arrived are not in it: there may be any number of those.
  CREATE INDEX received_attachments ON attachments (project, issue_number, number) WHERE received_at IS NOT NULL;

  CREATE TABLE files (
    project integer NOT NULL,
    digest bytea NOT NULL,
    -- Its name in the store.
    object text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    content_type text,
    stored_at bigint NOT NULL,
    -- Whether a report that referred to it was deleted since it was last examined.
    is_suspect smallint NOT NULL,
    PRIMARY KEY (project, digest)
  );
  CREATE UNIQUE INDEX files_by_object ON files (project, object);
  CREATE INDEX suspect_files ON files (project) WHERE is_suspect = 1;

  -- Files that are no longer used and still have to be removed from the store.
  CREATE TABLE removed_files (object text COLLATE "C" NOT NULL PRIMARY KEY);

  CREATE TABLE file_chunks (
    -- From the name of the file, to distribute the table by.
    project integer NOT NULL,
    object text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    stored_at bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (project, object, number)
  );
  -- Most files are compressed already.
  ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE attachments SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE files SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE removed_files SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
  ALTER TABLE file_chunks SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);

  ALTER TABLE projects ADD COLUMN last_label_number integer NOT NULL DEFAULT 0;
  CREATE TABLE labels (
    project integer NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    colour text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (project, number)
  );

  -- Numbers of labels, as `,3,17,`; NULL: none.
  ALTER TABLE issues ADD COLUMN labels text COLLATE "C";
  CREATE TABLE issue_labels (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    label integer NOT NULL,
    lane smallint NOT NULL,
    PRIMARY KEY (project, issue_number, label)
  );
  CREATE INDEX issue_labels_by_label ON issue_labels (project, lane, label, issue_number);
  ALTER TABLE issue_labels SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);

  -- Labels that issues may still have.
  CREATE TABLE deleted_labels (
    project integer NOT NULL,
    number integer NOT NULL,
    PRIMARY KEY (project, number)
  );


  DROP TABLE report_days;
  DROP INDEX reports_by_version;

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
  ALTER TABLE issue_reporters SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02);

  CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    at bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    actor_name text,
    action text COLLATE "C" NOT NULL,
    project_id uuid,
    project_slug text,
    subject text COLLATE "C",
    subject_name text,
    changes text NOT NULL,
    lane smallint NOT NULL
  );
  CREATE INDEX audit_log_by_actor ON audit_log (actor, id);
  CREATE INDEX audit_log_by_action ON audit_log (action, id);
  CREATE INDEX audit_log_by_project ON audit_log (project_id, id);
  -- What is or was in the security lane.
  CREATE INDEX hidden_audit_subjects ON audit_log (subject, id) WHERE lane = 1;

  CREATE TABLE comments (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    number integer NOT NULL,
    -- Chosen by the client.
    id text COLLATE "C" NOT NULL,
    author text COLLATE "C",
    audience text COLLATE "C" NOT NULL,
    -- NULL: deleted. The row stays, so that the id is not reused.
    text text,
    -- JSON; NULL: none.
    mentions text,
    -- Of what was first submitted under the id.
    content_hash bytea,
    created_at bigint NOT NULL,
    edited_at bigint,
    PRIMARY KEY (project, issue_number, number)
  );
  CREATE UNIQUE INDEX comments_by_id ON comments (project, issue_number, id);
  ALTER TABLE comments SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
  -- Without deleted ones; NULL: none.
  ALTER TABLE issues ADD COLUMN comment_count integer;

  CREATE TABLE deleted_projects (ordinal bigint PRIMARY KEY);
CREATE TABLE access_tokens (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    ending text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint
  );
  CREATE INDEX access_tokens_by_user ON access_tokens (user_id, id);
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

  CREATE TABLE sdk_builds (id text COLLATE "C" PRIMARY KEY, stored_at bigint NOT NULL);
  CREATE TABLE sdk_files (
    build text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (build, name)
  );

  CREATE TABLE report_exceptions (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    -- Of the text.
    number integer NOT NULL,
    -- JSON.
    exception text NOT NULL,
    PRIMARY KEY (project, issue_number, number)
  );
  ALTER TABLE report_exceptions SET (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.05);

  ALTER TABLE issues ADD COLUMN duplicate_of text COLLATE "C", ADD COLUMN status_before_merge text,
    ADD COLUMN duplicate_count integer, ADD COLUMN duplicate_reports integer, ADD COLUMN own_reported_at bigint;
  CREATE INDEX issues_by_target ON issues (project, duplicate_of) WHERE duplicate_of IS NOT NULL;
ALTER TABLE views ADD COLUMN is_shared smallint NOT NULL DEFAULT 0;
  CREATE INDEX views_by_project ON views (project_id);
ALTER TABLE issues ADD COLUMN spam_at bigint, ADD COLUMN sender text;
  ALTER TABLE reports ADD COLUMN sender text;
  ALTER TABLE search ADD COLUMN is_spam boolean;
  -- With an expression, no other index has its order: lists that leave out spam read one range for each status, whatever the statistics say.
  DROP INDEX issues_by_status;
  CREATE INDEX issues_by_status ON issues (project, lane, status, (number + 0)) WHERE status IS NOT NULL;
  CREATE INDEX issues_by_spam ON issues (project, spam_at) WHERE spam_at IS NOT NULL;

  CREATE TABLE sender_keys (
    day text PRIMARY KEY,
    key bytea NOT NULL
  );

  CREATE TABLE blocked_senders (
    project integer NOT NULL,
    sender text COLLATE "C" NOT NULL,
    -- The day of the key that the sender was hashed with.
    day text NOT NULL,
    -- The issue that the sender was blocked with.
    issue_number integer NOT NULL,
    PRIMARY KEY (project, sender)
  );
-- The hash of the reporter's secret, in hexadecimal.
  ALTER TABLE issues ADD COLUMN reporter_key_hash text COLLATE "C",
    -- Messages from reporters among all comments that there ever were; NULL: none.
    ADD COLUMN message_count integer,
    -- Who is expected to write next.
    ADD COLUMN conversation text COLLATE "C";
  ALTER TABLE reports ADD COLUMN reporter_key_hash text COLLATE "C";
  CREATE INDEX issues_by_reporter_key ON issues (project, reporter_key_hash, number)
    WHERE reporter_key_hash IS NOT NULL;
  CREATE INDEX reports_by_reporter_key ON reports (project, reporter_key_hash, received_at)
    WHERE reporter_key_hash IS NOT NULL;
  CREATE INDEX reports_with_reporter_key ON reports (project, issue_number, received_at, reporter_key_hash)
    WHERE reporter_key_hash IS NOT NULL;

  -- The report that a reply or a message is about; NULL: all, or none.
  ALTER TABLE comments ADD COLUMN report_number integer,
    -- Of a reply to all reporters: the last report that the issue had then.
    ADD COLUMN last_report integer;
  CREATE INDEX comments_to_reporters ON comments (project, issue_number, number) WHERE audience = 'reporters';
  CREATE INDEX comments_of_report ON comments (project, issue_number, report_number, number)
    WHERE report_number IS NOT NULL;

  CREATE TABLE read_marks (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    report_number integer NOT NULL,
    comment_number integer NOT NULL,
    PRIMARY KEY (project, issue_number, report_number)
  );
  CREATE TABLE blocked_reporters (
    project integer NOT NULL,
    key_hash text COLLATE "C" NOT NULL,
    -- The lane of the issue that the reporter was blocked on.
    lane smallint NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (project, key_hash, lane)
  );
  ALTER TABLE read_marks SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
UPDATE issues SET reporter_key_hash = 'abababababababababababababababababababababababababababababababab', conversation = 'waiting-for-reporter' WHERE number = 1;
INSERT INTO blocked_reporters VALUES (1, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 0, 1794723500000);
-- NULL: the issue is not published.
  ALTER TABLE issues ADD COLUMN known_title text, ADD COLUMN known_text text;
  -- A search reads all of it. Only this index has the order, so even a plan made for an empty table uses it.
  CREATE INDEX issues_known ON issues (project, (number + 0)) INCLUDE (known_title) WHERE known_title IS NOT NULL;
UPDATE issues SET known_title = 'Search is slow', known_text = 'We are working on it.' WHERE number = 1 AND lane = 0;
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

  CREATE VIEW current_projects AS
    SELECT p.seq, p.id, p.ordinal, p.slug, p.import_slug, p.name, p.is_public, p.default_branch, p.created_at, p.description,
      p.website_url, p.repository_url, p.sdk_config, p.file_bytes, p.last_webhook_number, p.last_label_number,
      p.expired_position, p.expired_open_position,
      coalesce(h.last_issue_number, p.last_issue_number) AS last_issue_number,
      coalesce(h.last_event_position, p.last_event_position) AS last_event_position,
      coalesce(h.last_open_position, p.last_open_position) AS last_open_position
    FROM projects p LEFT JOIN LATERAL (SELECT * FROM project_heads WHERE project = p.seq ORDER BY generation DESC LIMIT 1) h ON TRUE;

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

  ALTER TABLE project_heads SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE added_counts SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
  ALTER TABLE added_seen_values SET (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 500, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_threshold = 500, autovacuum_analyze_scale_factor = 0.01);
INSERT INTO project_heads (project, generation, commits, last_issue_number, last_event_position, last_open_position)
  SELECT seq, 1, 1, last_issue_number, last_event_position, last_open_position FROM projects WHERE last_issue_number > 0;
WITH moved AS (DELETE FROM seen_values WHERE value LIKE '%3.5%' RETURNING *)
  INSERT INTO added_seen_values (project, generation, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at)
  SELECT project, 1, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at FROM moved;
  INSERT INTO seen_values AS s (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest)
    SELECT project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, 0 FROM added_seen_values
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
    FROM (SELECT project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest FROM seen_values
      UNION ALL SELECT project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at, 0 FROM added_seen_values) v
    GROUP BY project, lane, dimension, value, build_number;

  INSERT INTO seen_values (project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at,
        last_at, includes_rest)
      SELECT b.project, b.lane, 'version', b.version, b.number, b.reports, b.new_issues, b.fixed_issues, b.regressions, b.first_at,
        b.last_at, 0
      FROM (SELECT b.*, sum(reports) OVER same AS all_reports, sum(new_issues) OVER same AS all_new_issues, sum(regressions) OVER same AS all_regressions FROM (
      SELECT s.*, (s.value::json ->> 0) AS version, (s.value::json ->> 1) AS number FROM seen_values s
      WHERE s.dimension = 'build' AND s.value LIKE '[%' AND TRUE) b
    WINDOW same AS (PARTITION BY project, lane, version)) b JOIN seen_values v ON v.project = b.project AND v.lane = b.lane AND v.dimension = 'version'
        AND v.value = b.version AND v.build_number = ''
      WHERE TRUE AND b.all_reports <= v.reports AND b.all_new_issues <= v.new_issues AND b.all_regressions <= v.regressions;
  UPDATE seen_values AS s SET reports = s.reports - b.reports, new_issues = s.new_issues - b.new_issues, regressions = s.regressions - b.regressions,
        first_at = CASE WHEN s.reports = b.reports THEN 8640000000000000 ELSE s.first_at END,
        last_at = CASE WHEN s.reports = b.reports THEN 0 ELSE s.last_at END
      FROM (SELECT s.project, s.lane, s.value, sum(s.reports) AS reports, sum(s.new_issues) AS new_issues, sum(s.regressions) AS regressions FROM seen_values s
        WHERE s.dimension = 'version' AND s.build_number <> '' AND TRUE GROUP BY s.project, s.lane, s.value) b
      WHERE s.project = b.project AND s.lane = b.lane AND s.dimension = 'version' AND s.value = b.value AND s.build_number = ''
        AND TRUE AND EXISTS (SELECT 1 FROM seen_values o WHERE TRUE AND o.project = s.project AND o.lane = s.lane AND o.dimension = 'build');
  UPDATE seen_values AS s SET includes_rest = 1
      WHERE s.dimension = 'version' AND s.build_number = '' AND s.value <> 'other' AND s.reports > 0 AND TRUE
        AND EXISTS (SELECT 1 FROM seen_values o
          WHERE TRUE AND o.project = s.project AND o.lane = s.lane AND o.dimension = 'build' AND o.value = 'other');
  DELETE FROM seen_values AS s WHERE s.dimension = 'version' AND s.build_number = '' AND s.reports = 0 AND s.new_issues = 0
        AND s.fixed_issues = 0 AND s.regressions = 0 AND TRUE;
  DELETE FROM seen_values AS s WHERE s.dimension = 'build' AND TRUE;
