import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { tellTransferStory } from '../../../test-support/transfer-story.ts'
import { DEFAULT_RATE_LIMITS } from '../../domain/access/rate-limits.ts'
import { openSqliteInline } from '../../storage/sqlite/sqlite-storage.ts'
import { checkSpace } from './database.ts'
import type { Finding } from './findings.ts'
import { checkWrites } from './writes.ts'

const folder = temporaryFolder()
const original = join(folder.path, 'original.db')

beforeAll(async () => {
  const storage = openSqliteInline(original)
  await tellTransferStory(storage)
  await storage.close()
  using db = new DatabaseSync(original)
  // The demo has its own clock.
  db.exec(`UPDATE events SET at = min(at, ${Date.now() - 1_000}); UPDATE webhooks SET failing_since = NULL`)
})
afterAll(() => folder[Symbol.dispose]())

test('a healthy database has no problem, and the disk is measured', async () => {
  using place = makePlace()
  const { code, findings } = await examine(place.settings)
  expect(code).toBe(0)
  expect(findings.filter(({ verdict }) => verdict === 'problem')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'configuration',
      'schema',
      'disk space',
      'indexes',
      'full-text index',
      'clock',
      'integrity',
    ]),
  )
  expect(found(findings, 'recount')).toMatch(/^\d+ issues, \d+ events; all counters are correct$/)
  expect(found(findings, 'durable writes')).toMatch(
    /a second one by one, .* together; .* project=\d+ is safe/,
  )
})

test('the size of the database includes the log next to it', () => {
  const MIB = 2 ** 20
  const [space] = checkSpace({ bytes: 600 * MIB, logBytes: 200 * MIB, freeBytes: 1_946 * MIB })
  expect(space).toMatchObject({ verdict: 'ok', found: '800 MiB used, 1.9 GiB free' })
  const [tight] = checkSpace({ bytes: 900 * MIB, logBytes: 300 * MIB, freeBytes: 1_100 * MIB })
  expect(tight).toMatchObject({ verdict: 'warning', advice: expect.stringContaining('might not fit') })
})

test('a mistyped setting is a warning, an impossible database path is a problem', async () => {
  using place = makePlace()
  const url = `sqlite:${join(place.path, 'bugle.db/more/bugle.db')}`
  const { code, findings } = await examine({ BUGLE_DATABASE_URL: url, BUGLE_PROT: '4001' })
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { verdict: 'warning', found: 'BUGLE_PROT is not a setting (did you mean BUGLE_PORT?)' },
    ...Array.from({ length: 3 }, () => ({ verdict: 'ok', check: 'exposure' })),
    { verdict: 'problem', check: 'database', advice: expect.stringContaining('is not a folder') },
  ])
})

test.each([
  [
    {},
    '127.0.0.1:4000 can be reached only from this machine, which includes proxies on it',
    '/metrics: closed to everyone, because BUGLE_METRICS_TOKEN is not set',
  ],
  [
    { BUGLE_HOST: '::', BUGLE_PORT: '80', BUGLE_METRICS_TOKEN: 'a-secret-of-the-operator' },
    '[::]:80 can be reached from every machine that can reach this address',
    '/metrics: open to clients that send the token in BUGLE_METRICS_TOKEN',
  ],
])('reports what is exposed, with %j', async (settings, reach, metrics) => {
  using place = makePlace()
  place.run('UPDATE projects SET is_public = 0')
  place.run('UPDATE projects SET is_public = 1 WHERE seq = (SELECT min(seq) FROM projects)')
  const { findings } = await examine({ ...place.settings, ...settings }, ['--quick'])
  const exposed = findings.filter(({ check }) => check === 'exposure').map(({ found }) => found)
  expect(exposed).toEqual([
    reach,
    'open to anyone: the sign-in page, /docs, /problems, /openapi.json, /healthz, /readyz',
    metrics,
    expect.stringMatching(/^public projects, readable by anyone: [\w-]+$/),
  ])
  expect(JSON.stringify(findings)).not.toContain('a-secret-of-the-operator')
})

test('finds all problems at once, with advice', async () => {
  using place = makePlace()
  chmodSync(place.path, 0o755)
  place.run('DROP INDEX issues_by_update')
  place.run("UPDATE counters SET count = count + 1 WHERE dimension = 'status' AND value = 'open'")
  place.run(`UPDATE events SET at = ${Date.now() + 3 * 3_600_000} WHERE row = (SELECT max(row) FROM events)`)
  place.run("UPDATE webhooks SET status = 'paused', paused_reason = 'The endpoint is gone.'")
  place.run('UPDATE keys SET last_used_at = 1, created_at = 1, revoked_at = NULL')
  const { code, findings } = await examine({
    ...place.settings,
    BUGLE_RATE_LIMITS: 'off',
    BUGLE_HOST: '0.0.0.0',
  })
  expect(code).toBe(1)
  const failures = findings.filter(({ verdict }) => verdict !== 'ok')
  expect(failures).toEqual([
    warning('configuration', /listens on 0\.0\.0\.0, but BUGLE_PUBLIC_URL is not set/),
    warning('configuration', /rate limits are off/),
    warning('configuration', /other accounts on this machine/),
    { ...warning('indexes', /^missing: issues_by_update$/), verdict: 'problem' },
    { ...warning('clock', /set back: the newest event is 2 hours in the future/), verdict: 'problem' },
    { ...warning('recount', /counters that differ from a recount: \d/), verdict: 'problem' },
    ...failures
      .filter(({ check }) => check === 'webhooks')
      .map(() => warning('webhooks', /paused \(The endpoint is gone\)/)),
    warning('keys', /not used for 90 days: key_/),
  ])
  const { stdout } = await runBugle(['doctor', '--quick'], place.settings)
  expect(stdout).toMatch(/^problem +indexes +missing: issues_by_update\n +→ export everything/m)
  expect(stdout).not.toMatch(/recount|durable/)
})

test('inspects a database of another release without changing it', async () => {
  using place = makePlace()
  place.run('PRAGMA user_version = 2')
  expect((await examine(place.settings)).findings).toContainEqual(
    warning('schema', /^version 2; this release has/),
  )
  place.run('PRAGMA user_version = 99; UPDATE catalog SET oldest_schema = 99')
  const { code, findings } = await examine(place.settings)
  expect(code).toBe(1)
  expect(findings).toContainEqual({
    ...warning('schema', /^version 99, from a newer release$/),
    verdict: 'problem',
  })
})

test('a missing database is not a problem, an unreachable one is', async () => {
  using folder = temporaryFolder()
  const none = await examine({ BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'none.db')}` })
  expect(none).toMatchObject({ code: 0 })
  expect(found(none.findings, 'database')).toMatch(/there is none at .* yet/)
  const away = await examine({ BUGLE_DATABASE_URL: 'postgres://bugle:s3cret@127.0.0.1:1/bugle' })
  expect(away.code).toBe(1)
  expect(found(away.findings, 'database')).toMatch(/could not be opened/)
  expect(JSON.stringify(away.findings)).not.toContain('s3cret')
})

test('a rate limit beyond the speed of the disk is a warning, with a better value', () => {
  const rates = { oneByOne: 100, together: 500 }
  const limits = (project: number) => ({
    rateLimits: { ...DEFAULT_RATE_LIMITS, project },
  })
  expect(checkWrites(rates, limits(6_000))).toMatchObject({ verdict: 'ok' })
  expect(checkWrites(rates, limits(60_000))).toMatchObject({
    verdict: 'warning',
    advice: expect.stringContaining('project=3000,'),
  })
  expect(checkWrites({ oneByOne: 5, together: 90 }, limits(100))).toMatchObject({ verdict: 'warning' })
})

function warning(check: string, text: RegExp) {
  return { check, verdict: 'warning', found: expect.stringMatching(text), advice: expect.any(String) }
}

function found(findings: readonly Finding[], check: string): string | undefined {
  return findings.find((finding) => finding.check === check)?.found
}

async function examine(settings: Readonly<Record<string, string>>, options: readonly string[] = []) {
  const { code, stdout } = await runBugle(['doctor', '--json', ...options], settings)
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  return { code, findings }
}

/** A copy of the database with some of every kind of data, which tests can modify directly. */
function makePlace() {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  copyFileSync(original, path)
  return {
    path: folder.path,
    settings: { BUGLE_DATABASE_URL: `sqlite:${path}` },
    run(sql: string) {
      using db = new DatabaseSync(path)
      db.exec(sql)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
