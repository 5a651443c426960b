import pg from 'pg'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { BLOCK_ISSUES, blockOf, lexemePrefix } from '../../src/storage/postgres/issues/search-index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { plainProject } from '../plain-reports.ts'

/** The projects, each with its share of the issues. */
const PROJECTS = { before: 0.1, weather: 1, after: 0.1 } as const

export async function addProjects(storage: Storage): Promise<readonly ProjectRecord[]> {
  const added = Object.keys(PROJECTS).map((slug) => plainProject(slug, START))
  for (const project of added) await storage.projects.create(project)
  return added
}

/**
 * Fills the projects with statements that create thousands of rows each, because a million issues would take
 * hours through the storage. To queries, the rows are like those that the storage writes.
 */
export async function seedIssues(url: string, issues: number): Promise<void> {
  // The plans of these statements are not logged.
  const client = new pg.Client({ connectionString: url, options: '-c auto_explain.log_min_duration=-1' })
  await client.connect()
  for (const [slug, part] of Object.entries(PROJECTS)) await seedProject(client, slug, issues * part)
  for (const statement of OF_OTHERS) await client.query(statement)
  // Nodes merge what they write into the full-text index, but these rows were not written by a node.
  await client.query("SELECT gin_clean_pending_list('search_by_token')")
  await client.end()
}

/** What other projects have written, most of it since their generation began. */
const OF_OTHERS = [
  `INSERT INTO seen_values (project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest)
   SELECT 1000000 + n, 0, 'version', '1.0', '', 1, 1, 0, 0, 0, 0, 0 FROM generate_series(1, 50000) n`,
  `INSERT INTO project_heads SELECT 1000000 + n, 1, 1, 1, 1, 1 FROM generate_series(1, 5000) n`,
  `INSERT INTO added_counts SELECT 1000000 + n, 1, 0, 'status', 'open', 1 FROM generate_series(1, 5000) n`,
  `INSERT INTO added_seen_values (project, generation, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at)
   SELECT 1000000 + n, 1, 0, 'version', '1.0', '', 1, 1, 0, 0, 0, 0 FROM generate_series(1, 5000) n`,
]

async function seedProject(client: pg.Client, slug: string, count: number): Promise<void> {
  const { rows } = await client.query<{ seq: number }>(EXTEND_PROJECT, [slug, count])
  const seq = rows[0]?.seq ?? 0
  const last = FIRST + count
  for (const statement of STATEMENTS) {
    await client.query(statement.replaceAll(':seq', `${seq}`).replaceAll(':last', `${last}`))
  }
  for (let block = blockOf(FIRST); block <= blockOf(last); block++) {
    for (const [lane, name] of (['open', 'security'] as const).entries()) {
      const range = [Math.max(FIRST, block * BLOCK_ISSUES), (block + 1) * BLOCK_ISSUES]
      await client.query(INSERT_TOKENS, [seq, lane, lexemePrefix(seq, name, block), ...range])
    }
  }
}

export const START = Date.UTC(2026, 0, 1)

/** A pseudorandom number from 0 to `below`, the same each time. */
const some = (salt: string, below: number) => `(abs(hashint8extended(n, ${hash(salt)})) % ${below})`

function hash(text: string): number {
  return [...text].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 1_000_000
}

const oneOf = (salt: string, ...values: readonly string[]) =>
  `(ARRAY['${values.join("','")}'])[1 + ${some(salt, values.length)}]`

/** Leaves room for the few rows that a project may already have. */
const FIRST = 10_001
const EXTEND_PROJECT = `WITH heads AS (DELETE FROM project_heads USING projects WHERE project = seq AND slug = $1)
  UPDATE projects SET last_issue_number = ${FIRST} + $2, last_event_position = (${FIRST} + $2) * 12 / 10,
    last_webhook_number = 103
  WHERE slug = $1 RETURNING seq`

const INSERT_TOKENS = `INSERT INTO search (project, number, is_spam, tokens)
  SELECT project, number, CASE WHEN spam_at IS NOT NULL THEN true END, (SELECT string_agg('''' || $3 || t.lexeme || ''':' || array_to_string(t.positions, ','), ' ')
    FROM unnest(to_tsvector('simple', title || ' ' || description)) t)::tsvector
  FROM issues WHERE project = $1 AND lane % 2 = $2 AND number >= $4 AND number < $5 ORDER BY number`

/** One word in a hundred thousand is rare; `app` is in half of all issues, `crash` in a tenth. */
const TITLE = `concat_ws(' ', ${oneOf('a', 'Settings', 'Login', 'Map', 'Chat')}, 'screen',
  CASE WHEN ${some('b', 2)} = 0 THEN 'app' END, CASE WHEN ${some('c', 10)} = 0 THEN 'crash' END,
  'word' || ${some('d', 5_000)}, CASE WHEN n % 20000 = 7 THEN 'needle' END)`

const STATEMENTS = [
  `INSERT INTO issues (project, number, id, lane, status, category, priority, title, description, app_version, build_number,
     os_version, device_model, platform, branch, fingerprint, occurred_at, metadata, sdk_name, sdk_version, submission_id,
     report_count, last_reported_at, created_at, updated_at, version, created_position)
   SELECT :seq, n, (lpad(to_hex(${START} + n * 1000), 12, '0') || '8' || lpad(to_hex(:seq), 3, '0') || 'a' ||
       lpad(to_hex(n), 15, '0'))::uuid,
     CASE WHEN ${some('lane', 20)} = 0 THEN 1 ELSE 0 END,
     CASE WHEN ${some('status', 10)} < 9 THEN 'open' ELSE ${oneOf('other', 'acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix')} END,
     CASE WHEN ${some('lane', 20)} = 0 THEN 'security' ELSE ${oneOf('category', 'bug', 'crash', 'performance', 'ui_ux')} END,
     ${some('priority', 4)}, ${TITLE}, repeat('It stays blank after the update. ', 3 + ${some('text', 5)}::int),
     '1.0.' || ${some('version', 40)}, '7', '18.1', 'Phone', ${oneOf('platform', 'ios', 'android', 'web', 'linux')},
     ${oneOf('branch', 'main', 'develop')}, CASE WHEN n % 10 = 0 THEN 'f' || n END, NULL, '{"screen":"Settings"}', 'web', '1.2.0',
     CASE WHEN n % 2 = 0 THEN 's' || n END, CASE WHEN n % 10 = 0 THEN 3 ELSE 1 END, ${START} + n * 1000, ${START} + n * 1000,
     ${START} + n * 1000 + ${some('update', 1_000_000)}, 1, n * 12 / 10
   FROM generate_series(${FIRST}, :last) n`,
  // More spam than a list may read in order to leave it out.
  `UPDATE issues SET lane = lane + 2, spam_at = created_at WHERE project = :seq AND number >= ${FIRST} AND number % 30 = 11`,
  `INSERT INTO submissions (project, id, content_hash, issue_number, status, report_count)
   SELECT project, submission_id, decode(md5(submission_id), 'hex'), number, 'open', 1 FROM issues
   WHERE project = :seq AND number >= ${FIRST} AND submission_id IS NOT NULL`,
  `INSERT INTO reports (project, issue_number, number, received_at, platform, app_version, reporter_key_hash, id)
   SELECT project, number, r, created_at, platform, app_version, encode(sha256((number % 20000)::text::bytea), 'hex'), gen_random_uuid() FROM issues, generate_series(2, report_count) r WHERE project = :seq AND number >= ${FIRST}`,
  `INSERT INTO report_sources
     (project, issue_number, day, app_version, build_number, branch, lane, count, regressions, first_at, last_at)
   SELECT project, issue_number, to_char(to_timestamp(received_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), app_version, '', '', 0,
     count(*), 0, min(received_at), max(received_at) FROM reports
   WHERE project = :seq AND issue_number >= ${FIRST} GROUP BY 1, 2, 3, 4`,
  `INSERT INTO report_texts (project, issue_number, number, report_number, words, hash, title, description)
   SELECT project, issue_number, number, number, 0, decode(md5(issue_number || '.' || number), 'hex'), 'Blank', NULL FROM reports
   WHERE project = :seq AND issue_number >= ${FIRST}`,
  `INSERT INTO report_exceptions (project, issue_number, number, exception)
   SELECT project, issue_number, number, '[]' FROM report_texts WHERE project = :seq AND issue_number >= ${FIRST}`,
  `UPDATE issues SET duplicate_of = md5((number / 100)::text), status_before_merge = 'open'
   WHERE project = :seq AND number >= ${FIRST} AND number % 25 = 1`,
  `UPDATE issues SET assignee_id = 'usr_' || lpad((number % 40)::text, 26, '0'), labels = ',' || 1 + number % 50 || ','
   WHERE project = :seq AND number >= ${FIRST} AND number % 3 = 0`,
  `INSERT INTO issue_labels (project, issue_number, label, lane)
   SELECT project, number, 1 + number % 50, lane FROM issues WHERE project = :seq AND number >= ${FIRST} AND number % 3 = 0`,
  `INSERT INTO comments (project, issue_number, number, id, author, audience, text, content_hash, created_at)
   SELECT project, number, c, 'c' || c, NULL, 'team', 'Looking into it', sha256(number::text::bytea), created_at
   FROM issues, generate_series(1, 3) c WHERE project = :seq AND number >= ${FIRST} AND number % 4 = 0`,
  `UPDATE issues SET reporter_key_hash = encode(sha256((number % 20000)::text::bytea), 'hex'), conversation = 'waiting-for-reporter'
   WHERE project = :seq AND number >= ${FIRST} AND number % 4 = 0`,
  `INSERT INTO comments (project, issue_number, number, id, author, audience, text, content_hash, created_at, report_number, last_report)
   SELECT project, number, c, 'r' || c, NULL, CASE c WHEN 4 THEN 'team' ELSE 'reporters' END, 'Which phone?', sha256(number::text::bytea),
     created_at, CASE c WHEN 4 THEN 1 END, CASE c WHEN 5 THEN 1 END
   FROM issues, generate_series(4, 5) c WHERE project = :seq AND number >= ${FIRST} AND number % 8 = 0`,
  `UPDATE issues SET known_title = 'Settings screen ' || number, known_text = 'Wait for the next release.'
   WHERE project = :seq AND lane = 0 AND number IN (SELECT number FROM issues WHERE project = :seq AND number >= ${FIRST} AND lane = 0
     ORDER BY number LIMIT 1900)`,
  `INSERT INTO read_marks (project, issue_number, report_number, comment_number)
   SELECT project, number, 1, 4 FROM issues WHERE project = :seq AND number >= ${FIRST} AND number % 8 = 0`,
  `INSERT INTO blocked_reporters (project, key_hash, lane, at)
   SELECT :seq, encode(sha256(('blocked ' || n)::bytea), 'hex'), 0, ${START} + n FROM generate_series(1, 20000) n`,
  `INSERT INTO bulk_changes (project, id, content_hash, matched, changed, at)
   SELECT :seq, 'key_1 ' || n, 'x', 1, 1, ${START} + n FROM generate_series(1, 20000) n`,
  `UPDATE issues SET comment_count = 3 WHERE project = :seq AND number >= ${FIRST} AND number % 4 = 0`,
  `INSERT INTO seen_values (project, lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at,
     includes_rest)
   SELECT :seq, lane, dimension, dimension || n, CASE dimension WHEN 'version' THEN build ELSE '' END, 1, 1, 0, 0, ${START}, ${START}, 0
   FROM generate_series(1, 900) n, generate_series(0, 1) lane, unnest(ARRAY['version', 'branch']) dimension, unnest(ARRAY['', '7']) build
   WHERE dimension = 'version' OR build = ''`,
  `INSERT INTO issue_reporters (project, issue_number, reporter, lane, email, reports)
   SELECT project, number, 'u' || number % 20000, lane, 'u' || number % 20000 || '@example.com', 1 FROM issues
   WHERE project = :seq AND number >= ${FIRST}`,
  `INSERT INTO attachments (project, issue_number, number, id, digest, name, declared_type, size, received_at)
   SELECT project, number, 16, gen_random_uuid(), sha256(number::text::bytea), 'a.png', 'image/png', 1000, created_at FROM issues
   WHERE project = :seq AND number >= ${FIRST} AND number % 2 = 0`,
  `INSERT INTO files (project, digest, object, size, content_type, stored_at, is_suspect, is_damaged)
   SELECT project, digest, project || '/' || encode(digest, 'hex'), size, 'image/png', received_at, 0, 0 FROM attachments
   WHERE project = :seq AND issue_number >= ${FIRST}`,
  `INSERT INTO file_chunks (project, object, number, stored_at, bytes)
   SELECT project, object, 0, stored_at, '' FROM files WHERE project = :seq`,
  `INSERT INTO events (project, position, type, at, actor, issue_number, lane)
   SELECT project, created_position, 'issue.created', created_at, NULL, number, lane % 2 FROM issues WHERE project = :seq AND number >= ${FIRST}`,
  `INSERT INTO events (project, position, type, at, actor, issue_number, lane)
   SELECT :seq, n, CASE WHEN n % 4 = 0 THEN 'issue.status_changed' ELSE 'issue.reported' END, ${START} + n * 1000, NULL,
     greatest(1, n * 10 / 12), 0
   FROM generate_series(${FIRST} * 12 / 10, :last * 12 / 10) n ON CONFLICT DO NOTHING`,
  `INSERT INTO webhooks (project, number, id, url, include_security, format, status, secrets, position, created_at, updated_at)
   SELECT :seq, n, gen_random_uuid(), 'https://hooks.example/' || n, 0, 'standard', CASE WHEN n = 103 THEN 'paused' ELSE 'active' END, '[]',
     :last, ${START}, ${START} FROM generate_series(101, 103) n`,
  `INSERT INTO deliveries (project, webhook, position, status, created_at, next_attempt_at, finished_at, attempts, series_attempts)
   SELECT :seq, w, n, CASE WHEN n > :last - 300 THEN 'pending' WHEN n % 50 = 0 THEN 'failed' ELSE 'delivered' END, ${START} + n * 1000,
     CASE WHEN n > :last - 300 THEN ${START} END, CASE WHEN n <= :last - 300 THEN ${START} + n * 1000 END, 1, 1
   FROM generate_series(101, 103) w, generate_series(${FIRST}, :last, 3) n`,
  `INSERT INTO attempts (project, webhook, position, number, at, http_status, duration_ms)
   SELECT project, webhook, position, 1, created_at, 200, 30 FROM deliveries WHERE project = :seq AND webhook > 100`,
  ...['status', 'category', 'priority', 'platform'].map(
    (dimension) => `INSERT INTO counters (project, lane, dimension, value, count)
     SELECT project, lane, '${dimension}', ${dimension}::text, count(*) FROM issues WHERE project = :seq AND number >= ${FIRST} GROUP BY 1, 2, 4
     ON CONFLICT (project, lane, dimension, value) DO UPDATE SET count = counters.count + excluded.count`,
  ),
  `INSERT INTO counters (project, lane, dimension, value, count)
   SELECT :seq, 0, 'sdk:' || (date '2020-01-01' + n / 10)::text, '1.' || n % 10, 1 FROM generate_series(1, 7000) n`,
]
