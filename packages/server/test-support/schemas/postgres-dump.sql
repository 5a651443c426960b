--
-- PostgreSQL database dump
--

\restrict gvEhMHq5QVPzOn754au7e4UMmNrH60FXz7eioHCSiROc2ftiPza0EgSNjjoTsTf

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.attempts OWNER TO postgres;

--
-- Name: catalog; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.catalog (
    version bigint NOT NULL
);


ALTER TABLE public.catalog OWNER TO postgres;

--
-- Name: counters; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.counters (
    project integer NOT NULL,
    lane smallint NOT NULL,
    dimension text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
)
WITH (fillfactor='50');


ALTER TABLE public.counters OWNER TO postgres;

--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.deliveries OWNER TO postgres;

--
-- Name: events; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.events OWNER TO postgres;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.imports (
    slot smallint NOT NULL,
    digest text NOT NULL,
    line bigint NOT NULL,
    CONSTRAINT imports_slot_check CHECK ((slot = 1))
);


ALTER TABLE public.imports OWNER TO postgres;

--
-- Name: issues; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.issues OWNER TO postgres;

--
-- Name: keys; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.keys OWNER TO postgres;

--
-- Name: links; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.links (
    hash bytea NOT NULL,
    user_id uuid,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


ALTER TABLE public.links OWNER TO postgres;

--
-- Name: nodes; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.nodes (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);


ALTER TABLE public.nodes OWNER TO postgres;

--
-- Name: projects; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.projects OWNER TO postgres;

--
-- Name: projects_seq_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

ALTER TABLE public.projects ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.projects_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: report_days; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.report_days (
    project integer NOT NULL,
    issue_number integer NOT NULL,
    day text NOT NULL COLLATE pg_catalog."C",
    count integer NOT NULL
);


ALTER TABLE public.report_days OWNER TO postgres;

--
-- Name: reports; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.reports OWNER TO postgres;

--
-- Name: schema_version; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.schema_version (
    version integer NOT NULL
);


ALTER TABLE public.schema_version OWNER TO postgres;

--
-- Name: search; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.search (
    project integer NOT NULL,
    number integer NOT NULL,
    tokens tsvector NOT NULL
);


ALTER TABLE public.search OWNER TO postgres;

--
-- Name: sign_ins; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.sign_ins (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    user_agent text,
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL
);


ALTER TABLE public.sign_ins OWNER TO postgres;

--
-- Name: submissions; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.submissions (
    project integer NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    issue_number integer NOT NULL,
    status text NOT NULL,
    report_count integer NOT NULL
);


ALTER TABLE public.submissions OWNER TO postgres;

--
-- Name: users; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.users OWNER TO postgres;

--
-- Name: views; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.views (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    project_id uuid NOT NULL,
    query text NOT NULL,
    created_at bigint NOT NULL
);


ALTER TABLE public.views OWNER TO postgres;

--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: postgres
--

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


ALTER TABLE public.webhooks OWNER TO postgres;

--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.attempts (project, webhook, "position", number, at, http_status, error, duration_ms, response) FROM stdin;
\.


--
-- Data for Name: catalog; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.catalog (version) FROM stdin;
2
\.


--
-- Data for Name: counters; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.counters (project, lane, dimension, value, count) FROM stdin;
1	0	created_day	2026-10-19	1
1	0	reports_day	2026-10-19	1
1	0	platform	watchos	1
1	0	app_version	3.1.1	1
1	0	sdk:2026-10-19	0.3.1	1
1	0	intake	replayed	1
1	0	time_to_acknowledge	150000	1
1	0	resolved_day	2026-10-26	1
1	0	time_to_resolve	610000	1
1	0	created_day	2026-10-29	1
1	0	reports_day	2026-10-29	1
1	0	app_version	3.2.0	1
1	0	sdk:2026-10-29	0.1.0	1
1	0	time_to_acknowledge	350000	1
1	0	priority	low	1
1	0	created_day	2026-11-02	2
1	0	reports_day	2026-11-02	2
1	0	platform	windows	1
1	0	sdk:2026-11-02	0.1.0	1
1	0	category	bug	6
1	0	status	closed	2
1	0	time_to_acknowledge	21000	1
1	0	priority	high	4
1	0	time_to_acknowledge	57000	1
1	0	created_day	2026-11-06	1
1	0	reports_day	2026-11-06	1
1	0	app_version	3.3.0	2
1	0	sdk:2026-11-06	0.1.0	1
1	0	platform	ios	4
1	0	priority	medium	3
1	0	intake	stored	8
1	0	status	open	1
1	0	status	in_progress	0
1	0	status	resolved	3
1	0	reports		19
1	0	time_to_acknowledge	39000	1
1	0	category	crash	1
1	0	created_day	2026-11-08	1
1	0	app_version	3.6.0	1
1	0	sdk:2026-11-08	0.1.0	2
1	0	sdk:2026-11-08	0.3.1	1
1	0	reports_day	2026-11-08	5
1	0	sdk:2026-11-08	0.2.0	2
1	0	sdk:2026-11-09	0.1.0	1
1	0	time_to_acknowledge	100000	1
1	0	resolved_day	2026-11-09	1
1	0	time_to_resolve	100000	1
1	0	reports_day	2026-11-09	3
1	0	sdk:2026-11-09	0.3.1	2
1	0	reports_day	2026-11-10	1
1	0	sdk:2026-11-10	0.1.0	1
1	0	sdk:2026-11-11	0.3.1	1
1	0	category	ui_ux	1
1	0	created_day	2026-11-11	2
1	0	reports_day	2026-11-11	2
1	0	platform	web	1
1	0	app_version	4.0.0-beta.1	2
1	0	sdk:2026-11-11	0.2.0	1
1	0	status	acknowledged	2
1	0	time_to_acknowledge	24000	1
1	0	sdk:2026-11-12	0.2.0	1
1	0	reports_day	2026-11-12	2
1	0	sdk:2026-11-12	0.3.1	1
1	0	resolved_day	2026-11-14	1
1	0	time_to_resolve	990000	1
1	0	reports_day	2026-11-14	1
1	0	intake	joined	11
1	0	sdk:2026-11-14	0.1.0	1
\.


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.deliveries (project, webhook, "position", status, created_at, next_attempt_at, leased_until, finished_at, attempts, series_attempts) FROM stdin;
\.


--
-- Data for Name: events; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.events (project, "position", type, at, actor, issue_number, lane, details) FROM stdin;
1	1	issue.created	1792414127779	key_01m7ewz2ncgyw8qsj818ym2w1k	1	0	\N
1	2	issue.status_changed	1792565357551	key_01m7ewz2nchan8e406s9wyh1z7	1	0	[[{"member":"status","from":"open","to":"in_progress"}],null,null]
1	3	issue.status_changed	1793023668535	key_01m7ewz2nchan8e406s9wyh1z7	1	0	[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"3.3.1","buildNumber":"2118"}}],null,null]
1	4	issue.created	1793275488185	key_01m7ewz2ncgyw8qsj818ym2w1k	2	0	\N
1	5	issue.status_changed	1793627028000	key_01m7ewz2nchan8e406s9wyh1z7	2	0	[[{"member":"status","from":"open","to":"closed"}],null,null]
1	6	issue.created	1793631487807	key_01m7ewz2ncgyw8qsj818ym2w1k	3	0	\N
1	7	issue.created	1793645470029	key_01m7ewz2ncgyw8qsj818ym2w1k	4	0	\N
1	8	issue.status_changed	1793666255770	key_01m7ewz2nchan8e406s9wyh1z7	4	0	[[{"member":"status","from":"open","to":"closed"}],"The same as an older issue; that one is fixed.",null]
1	9	issue.status_changed	1793688082173	key_01m7ewz2nchan8e406s9wyh1z7	3	0	[[{"member":"status","from":"open","to":"in_progress"}],null,null]
1	10	issue.created	1793955866103	key_01m7ewz2ncgyw8qsj818ym2w1k	5	0	\N
1	11	issue.status_changed	1793994503647	key_01m7ewz2nchan8e406s9wyh1z7	5	0	[[{"member":"status","from":"open","to":"acknowledged"}],"Seen here too.",null]
1	12	issue.created	1794132240864	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	13	issue.reported	1794136228792	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	14	issue.reported	1794147041029	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	15	issue.reported	1794154654074	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	16	issue.reported	1794170096804	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	17	issue.reported	1794204567723	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	18	issue.reported	1794215736177	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	\N
1	19	issue.status_changed	1794233669282	key_01m7ewz2nchan8e406s9wyh1z7	6	0	[[{"member":"status","from":"open","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.0-beta.1","buildNumber":"2196"}}],null,null]
1	20	issue.reported	1794248894271	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]
1	21	issue.reported	1794273176943	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]
1	22	issue.created	1794407727875	key_01m7ewz2ncgyw8qsj818ym2w1k	7	0	\N
1	23	issue.created	1794408435791	key_01m7ewz2ncgyw8qsj818ym2w1k	8	0	\N
1	24	issue.status_changed	1794432843891	key_01m7ewz2nchan8e406s9wyh1z7	8	0	[[{"member":"status","from":"open","to":"acknowledged"}],"Reproduced on the second try.",null]
1	25	issue.reported	1794451910771	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	[[],null,"3.4.0 (2146) is older than the fix, 4.0.0-beta.1 (2196): a late report."]
1	26	issue.reported	1794482372527	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]
1	27	issue.status_changed	1794620657853	key_01m7ewz2nchan8e406s9wyh1z7	3	0	[[{"member":"status","from":"in_progress","to":"resolved"},{"member":"fixedIn","from":null,"to":{"appVersion":"4.0.1","buildNumber":"2224"}}],"Reverted the cache change.",null]
1	28	issue.reported	1794687319649	key_01m7ewz2ncgyw8qsj818ym2w1k	6	0	[[],null,"3.6.0 (2185) is older than the fix, 4.0.0-beta.1 (2196): a late report."]
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.imports (slot, digest, line) FROM stdin;
\.


--
-- Data for Name: issues; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.issues (project, number, id, lane, status, category, priority, title, description, app_version, build_number, os_version, device_model, platform, branch, fingerprint, occurred_at, metadata, sdk_name, sdk_version, submission_id, report_count, last_reported_at, fixed_in_version, fixed_in_build, resolved_at, first_left_open_at, first_resolved_at, created_at, updated_at, version, created_position) FROM stdin;
1	1	01a15435-16a3-89ae-a66a-cde7ab1cf7ac	0	resolved	bug	2	Ticked items come back on the list “Household”	I tick sourdough, walk to the next aisle, and it is there again. We own a lot of sourdough now.	3.1.1	2068	watchOS 26.1	Apple Watch Series 11	watchos	release/3.1	\N	\N	{"freeMemoryMb":901,"isOnline":false,"locale":"pl-PL","plan":"family","recipes":559}	@bugle/sdk	0.3.1	mwhfkos2-9-0-1	1	1792414127779	3.3.1	2118	1793023668535	1792565357551	1793023668535	1792414127779	1793023668535	3	1
1	2	01a1878c-67b9-89ae-a66a-cf6e99c21f5f	0	closed	bug	2	Barcode of oat milk is recognised as printer paper	Scanned three different packets. The number under the bars is read correctly, the product is not.	3.2.0	2079	iPadOS 26.1	iPhone 17	ios	release/3.2	\N	\N	{"freeMemoryMb":3857,"isOnline":true,"locale":"fr-FR","plan":"free","recipes":243}	@bugle/sdk	0.1.0	mwhfkos2-9-1-1	1	1793275488185	\N	\N	\N	1793627028000	\N	1793275488185	1793627028000	2	4
1	4	01a19d99-e14d-89ae-a66a-ced9d60e6d18	0	closed	bug	0	Grams and ounces are mixed in Goulash	Settings say metric. The first four lines are metric, the fifth is not.	3.3.0	2107	Windows 10 22H2	ThinkPad X1	windows	release/3.3	\N	1793642830029	{"isOnline":true,"locale":"pt-BR","plan":"free","recipes":495,"theme":"light"}	@bugle/sdk	0.1.0	mwhfkos2-9-6-1	1	1793645470029	\N	\N	\N	1793666255770	\N	1793645470029	1793666255770	2	7
1	5	01a1b01a-25f7-89ae-a66a-ceed53ca572c	0	acknowledged	bug	1	Undo brings back the wrong item on Meal plan	1. Remove coconut cream\n2. Remove anything else\n3. Undo once\n\ncoconut cream comes back, not the other one.	3.3.0	2107	iOS 26.0.1	iPhone 15	ios	release/3.3	\N	1793954786103	{"freeMemoryMb":934,"isOnline":true,"locale":"de-DE","plan":"free","recipes":165,"theme":"light"}	@bugle/sdk	0.1.0	mwhfkos2-9-3-1	1	1793955866103	\N	\N	\N	1793994503647	\N	1793955866103	1793994503647	2	10
1	7	01a1cb09-0303-89ae-a66a-cfbba999bf7d	0	open	bug	2	Edits to Lentil soup are lost after signing in again	I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.	4.0.0-beta.1	2196	iOS 26.0.1	iPhone 16 Pro	ios	main	\N	\N	{"isOnline":false,"locale":"en-GB","plan":"family","recipes":882}	@bugle/sdk	0.3.1	mwhfkos2-9-2-1	1	1794407727875	\N	\N	\N	\N	\N	1794407727875	1794407727875	1	22
1	8	01a1cb13-d04f-89ae-a66a-ce63eba4db03	0	acknowledged	ui_ux	1	The screen goes to sleep in Cook mode	With dough on both hands there is no polite way to wake it.	4.0.0-beta.1	2196	Chrome 142 on macOS 26	Desktop	web	main	\N	\N	{"isOnline":false,"locale":"ja-JP","plan":"plus","recipes":661}	@bugle/sdk	0.2.0	mwhfkos2-9-5-1	1	1794408435791	\N	\N	\N	1794432843891	\N	1794408435791	1794432843891	2	23
1	3	01a19cc4-873f-89ae-a66a-cf13b4aece7c	0	resolved	bug	1	Edits to Pad Thai are lost on a slow line	I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	mwhfkos2-9-4-1	1	1793631487807	4.0.1	2224	1794620657853	1793688082173	1794620657853	1793631487807	1794620657853	3	6
1	6	01a1ba9d-69e0-89ae-a66a-ced7f1fdd96a	0	resolved	crash	2	Deadlock in ListStore: the app is ended by the watchdog	Main thread waits for ListStore.writeQueue, which waits for the main thread.\n\nThread 0: ListStore.sync\nThread 7: ListStore.didChange → DispatchQueue.main.sync	3.6.0	2185	iOS 18.7	iPhone 17	ios	release/3.6	crash:mwhfkos2-9-7	1794132000864	{"isOnline":true,"locale":"ja-JP","plan":"free","recipes":319}	@bugle/sdk	0.1.0	mwhfkos2-9-7-1	12	1794687319649	4.0.0-beta.1	2196	1794233669282	1794233669282	1794233669282	1794132240864	1794233669282	2	12
\.


--
-- Data for Name: keys; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.keys (id, project, kind, name, hash, token, ending, scopes, origins, created_at, last_used_at, revoked_at) FROM stdin;
\.


--
-- Data for Name: links; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.links (hash, user_id, created_at, expires_at) FROM stdin;
\.


--
-- Data for Name: nodes; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.nodes (id, seen_at) FROM stdin;
\.


--
-- Data for Name: projects; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.projects (seq, id, ordinal, slug, name, is_public, default_branch, created_at, sdk_config, last_issue_number, last_event_position, last_webhook_number, expired_position, import_slug) FROM stdin;
1	01a1ddcf-8aac-89ae-a66a-ce43a9613b6a	2599000755	weather	Weather	f	main	1794722728620	\N	8	28	0	0	\N
\.


--
-- Data for Name: report_days; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.report_days (project, issue_number, day, count) FROM stdin;
1	6	2026-11-08	4
1	6	2026-11-09	3
1	6	2026-11-10	1
1	6	2026-11-12	2
1	6	2026-11-14	1
\.


--
-- Data for Name: reports; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.reports (project, issue_number, number, received_at, occurred_at, app_version, build_number, os_version, device_model, platform, branch, submission_id) FROM stdin;
1	6	2	1794136228792	\N	3.5.1	2171	iOS 26.1	iPhone 15	ios	release/3.5	mwhfkos2-9-7-8
1	6	3	1794147041029	\N	3.5.0	2157	iPadOS 26.1	iPad Air (M3)	ios	release/3.5	mwhfkos2-9-7-11
1	6	4	1794154654074	1794154534074	3.6.0	2185	iOS 26.0.1	iPad Air (M3)	ios	release/3.6	mwhfkos2-9-7-12
1	6	5	1794170096804	\N	3.3.2	2132	iOS 18.7	iPhone 13 mini	ios	release/3.3	mwhfkos2-9-7-9
1	6	6	1794204567723	\N	3.5.1	2171	iOS 26.0.1	iPhone 16 Pro	ios	release/3.5	mwhfkos2-9-7-10
1	6	7	1794215736177	\N	3.5.1	2171	iPadOS 26.1	iPhone 15	ios	release/3.5	mwhfkos2-9-7-5
1	6	8	1794248894271	\N	3.6.0	2185	iOS 26.0.1	iPhone 13 mini	ios	release/3.6	mwhfkos2-9-7-3
1	6	9	1794273176943	\N	3.6.0	2185	iOS 18.7	iPhone 13 mini	ios	release/3.6	mwhfkos2-9-7-7
1	6	10	1794451910771	\N	3.4.0	2146	iOS 18.7	iPhone 15	ios	release/3.4	mwhfkos2-9-7-4
1	6	11	1794482372527	1794479972527	3.6.0	2185	iOS 26.0.1	iPhone 13 mini	ios	release/3.6	mwhfkos2-9-7-2
1	6	12	1794687319649	\N	3.6.0	2185	iOS 26.0.1	iPhone 15	ios	release/3.6	mwhfkos2-9-7-6
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.schema_version (version) FROM stdin;
4
\.


--
-- Data for Name: search; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.search (project, number, tokens) FROM stdin;
1	1	'a':25 'again':22 'aisle':17 'and':18 'back':4 'come':3 'household':8 'i':10 'is':20 'it':19 'items':2 'list':7 'lot':26 'next':16 'now':29 'of':27 'on':5 'own':24 'sourdough':12,28 'the':6,15 'there':21 'tick':11 'ticked':1 'to':14 'walk':13 'we':23 '¦':9 '0.1.0'
1	2	'as':7 'barcode':1 'bars':19 'correctly':22 'different':13 'is':5,20,25 'milk':4 'not':26 'number':16 'oat':3 'of':2 'packets':14 'paper':9 'printer':8 'product':24 'read':21 'recognised':6 'scanned':11 'the':15,18,23 'three':12 'under':17 '¦':10 '0.1.0'
1	3	'a':8,28 'all':14 'and':22 'are':5 'back':27 'edits':1 'history':31 'i':12 'later':30 'line':10 'lost':6 'minute':29 'old':24,35 'on':7 'only':33 'pad':3 'pressed':17 'rewrote':13 'save':18 'saw':19 'shows':32 'slow':9 'steps':16 'text':25 'thai':4 'the':15,20,23,34 'tick':21 'to':2 'version':36 'was':26 '¦':11 '0.1.0'
1	4	'and':2 'are':4,16 'fifth':19 'first':13 'four':14 'goulash':7 'grams':1 'in':6 'is':20 'lines':15 'metric':11,17 'mixed':5 'not':21 'ounces':3 'say':10 'settings':9 'the':12,18 '¦':8 '0.1.0'
1	5	'1':11 '2':15 '3':19 'anything':17 'back':3,25 'brings':2 'coconut':13,22 'comes':24 'cream':14,23 'else':18 'item':6 'meal':8 'not':26 'on':7 'once':21 'one':29 'other':28 'plan':9 'remove':12,16 'the':4,27 'undo':1,20 'wrong':5 '¦':10 '0.1.0'
1	6	'0':25 '7':29 'app':5 'by':8 'deadlock':1 'didchange':31 'dispatchqueue':32 'ended':7 'for':15,20 'in':2 'is':6 'liststore':3,16,26,30 'main':12,22,33 'sync':27,34 'the':4,9,21 'thread':13,23,24,28 'waits':14,19 'watchdog':10 'which':18 'writequeue':17 '¦':11 '0.1.0'
1	7	'a':28 'after':7 'again':10 'all':14 'and':22 'are':5 'back':27 'edits':1 'history':31 'i':12 'in':9 'later':30 'lentil':3 'lost':6 'minute':29 'old':24,35 'only':33 'pressed':17 'rewrote':13 'save':18 'saw':19 'shows':32 'signing':8 'soup':4 'steps':16 'text':25 'the':15,20,23,34 'tick':21 'to':2 'version':36 'was':26 '¦':11 '0.1.0'
1	8	'both':13 'cook':7 'dough':11 'goes':3 'hands':14 'in':6 'is':16 'it':22 'mode':8 'no':17 'on':12 'polite':18 'screen':2 'sleep':5 'the':1 'there':15 'to':4,20 'wake':21 'way':19 'with':10 '¦':9 '0.1.0'
\.


--
-- Data for Name: sign_ins; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.sign_ins (id, user_id, hash, user_agent, created_at, last_seen_at) FROM stdin;
\.


--
-- Data for Name: submissions; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.submissions (project, id, content_hash, issue_number, status, report_count) FROM stdin;
1	mwhfkos2-9-0-1	\\xad53346936e98aeabd6775521c591177	1	open	1
1	mwhfkos2-9-1-1	\\xfbe26368a6d54661751c2d84c88b54df	2	open	1
1	mwhfkos2-9-4-1	\\x7165ca8db522562c1c422dc83e42fdbf	3	open	1
1	mwhfkos2-9-6-1	\\x7aa0480792fa350eb2ecc2d9e33375f5	4	open	1
1	mwhfkos2-9-3-1	\\x115422434f53a1606a34f478fd660e04	5	open	1
1	mwhfkos2-9-7-1	\\x4615d5136fd274da6264148f058e8b93	6	open	1
1	mwhfkos2-9-7-8	\\x1f8fbdcf31472960a0bd36feeba1de31	6	open	2
1	mwhfkos2-9-7-11	\\x34ce353f5562234671795d02e9407ec6	6	open	3
1	mwhfkos2-9-7-12	\\xc3e9f235e4764ff3c5a411862b98314a	6	open	4
1	mwhfkos2-9-7-9	\\x8fc61c5ac2ddddf20253358f5b2f333f	6	open	5
1	mwhfkos2-9-7-10	\\xd3e48a203117cca26d230b60980e8bb9	6	open	6
1	mwhfkos2-9-7-5	\\x48c2b862da4f096b6f356b2dd9213990	6	open	7
1	mwhfkos2-9-7-3	\\xfa0aa48099defb370987331e21faeef7	6	resolved	8
1	mwhfkos2-9-7-7	\\xdf70c9ae8c68c9baf2bc5381ca982529	6	resolved	9
1	mwhfkos2-9-2-1	\\xc969dc92990559000720213f2a4b8bd7	7	open	1
1	mwhfkos2-9-5-1	\\xef07bf7591c0a42a26c4baf3bc5f22ce	8	open	1
1	mwhfkos2-9-7-4	\\x64aefa382d5d8a1bf98f606607dc785f	6	resolved	10
1	mwhfkos2-9-7-2	\\x77598a4a37902bf36da9b0c9c43582f6	6	resolved	11
1	mwhfkos2-9-7-6	\\x0c20f4e1a4bd835de19c8758cce27a2f	6	resolved	12
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.users (id, email, name, role, can_see_security, project_ids, password_hash, created_at) FROM stdin;
\.


--
-- Data for Name: views; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.views (id, user_id, name, project_id, query, created_at) FROM stdin;
\.


--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.webhooks (project, number, id, name, url, event_types, include_security, format, status, paused_reason, secrets, "position", created_at, updated_at, last_success_at, failing_since) FROM stdin;
\.


--
-- Name: projects_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.projects_seq_seq', 1, true);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (project, webhook, "position", number);


--
-- Name: counters counters_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (project, lane, dimension, value);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (project, webhook, "position");


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (project, "position");


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (slot);


--
-- Name: issues issues_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_pkey PRIMARY KEY (project, number);


--
-- Name: issues issues_project_id_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_project_id_key UNIQUE (project, id);


--
-- Name: keys keys_hash_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);


--
-- Name: keys keys_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);


--
-- Name: links links_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (hash);


--
-- Name: nodes nodes_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);


--
-- Name: projects projects_id_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_id_key UNIQUE (id);


--
-- Name: projects projects_ordinal_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_ordinal_key UNIQUE (ordinal);


--
-- Name: projects projects_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (seq);


--
-- Name: projects projects_slug_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_slug_key UNIQUE (slug);


--
-- Name: report_days report_days_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.report_days
    ADD CONSTRAINT report_days_pkey PRIMARY KEY (project, issue_number, day);


--
-- Name: reports reports_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (project, issue_number, number);


--
-- Name: search search_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.search
    ADD CONSTRAINT search_pkey PRIMARY KEY (number, project);


--
-- Name: sign_ins sign_ins_hash_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_hash_key UNIQUE (hash);


--
-- Name: sign_ins sign_ins_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);


--
-- Name: submissions submissions_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (project, id);


--
-- Name: users users_email_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: views views_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (project, number);


--
-- Name: webhooks webhooks_project_id_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_project_id_key UNIQUE (project, id);


--
-- Name: deliveries_due; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX deliveries_due ON public.deliveries USING btree (project, webhook, next_attempt_at, "position") WHERE (status = 'pending'::text);


--
-- Name: deliveries_failed; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX deliveries_failed ON public.deliveries USING btree (project, webhook, finished_at) WHERE (status = 'failed'::text);


--
-- Name: deliveries_leased; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX deliveries_leased ON public.deliveries USING btree (project, webhook, leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: events_by_issue; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX events_by_issue ON public.events USING btree (project, issue_number, "position") WHERE (type <> 'issue.created'::text);


--
-- Name: issues_by_fingerprint; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX issues_by_fingerprint ON public.issues USING btree (project, lane, fingerprint) WHERE (fingerprint IS NOT NULL);


--
-- Name: issues_by_priority; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX issues_by_priority ON public.issues USING btree (project, lane, priority, number);


--
-- Name: issues_by_reports; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX issues_by_reports ON public.issues USING btree (project, lane, report_count, number);


--
-- Name: issues_by_status; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX issues_by_status ON public.issues USING btree (project, lane, status, number);


--
-- Name: issues_by_update; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX issues_by_update ON public.issues USING btree (project, lane, updated_at, number);


--
-- Name: keys_by_project; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX keys_by_project ON public.keys USING btree (project);


--
-- Name: links_by_user; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX links_by_user ON public.links USING btree (user_id);


--
-- Name: search_by_token; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX search_by_token ON public.search USING gin (tokens) WITH (gin_pending_list_limit='256');


--
-- Name: sign_ins_by_user; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX sign_ins_by_user ON public.sign_ins USING btree (user_id);


--
-- Name: views_by_user; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX views_by_user ON public.views USING btree (user_id);


--
-- PostgreSQL database dump complete
--

\unrestrict gvEhMHq5QVPzOn754au7e4UMmNrH60FXz7eioHCSiROc2ftiPza0EgSNjjoTsTf

