import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { runBugle } from '../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { openClient } from './support/load.ts'
import { acknowledgedOf, expectStored, submitUntilCut } from './support/reports.ts'
import { settingsFor, startFirstServer, startServer } from './support/start-server.ts'

const folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)
const database = at('bugle.db')
const backup = at('backup.db')

afterAll(() => folder[Symbol.dispose]())

describe('a backup of a server under load', () => {
  test('is a snapshot, and another server continues from it', async () => {
    const { server, keys } = await startFirstServer(database)
    await using _ = server
    await using client = openClient(server.url, keys.secretKey)
    const over = new AbortController()
    const sending = submitUntilCut(client, over.signal)
    const countIssuesNow = async () =>
      (await client.get('/v1/issues?pageSize=1')).body.data[0]?.issueNumber ?? 0
    await expect.poll(countIssuesNow).toBeGreaterThan(200)
    const before = await countIssuesNow()
    const made = await runBugle(['backup', backup, '--json'], settingsFor(database))
    over.abort()
    const sendings = await sending
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { counts } = JSON.parse(made.stdout)
    expect(counts).toMatchObject({ projects: 1, reports: counts.issues, events: counts.issues })
    expect(counts.issues).toBeGreaterThanOrEqual(before)
    expect(acknowledgedOf(sendings)).toHaveLength(sendings.length)

    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(namesLike('backup')).toEqual(['backup.db'])
    const restored = at('elsewhere/bugle.db')
    expect(await runBugle(['restore', backup], settingsFor(restored))).toMatchObject({ code: 0, stderr: '' })
    await using other = await startServer(restored)
    await using otherClient = openClient(other.url, keys.secretKey)
    const inBackup = sendings.filter(({ answer }) => answer?.body.issueNumber <= counts.issues)
    expect(inBackup).toHaveLength(counts.issues)
    await expectStored(otherClient, acknowledgedOf(inBackup))
    const next = await otherClient.submit({ title: 'The next one' })
    expect(next.body.issueNumber).toBe(counts.issues + 1)
  })
})

describe('restore', () => {
  test('replaces a database only with --force, and keeps the old one', async () => {
    const place = at('place.db')
    copyFileSync(backup, place)
    await expectRefusal(['restore', backup], place, /there is already a database at .*place\.db; --force/)
    // The files that a killed server leaves; replayed into the new database, they would destroy it.
    writeFileSync(`${place}-wal`, 'a log of the old database')
    const forced = await runBugle(['restore', backup, '--force', '--json'], settingsFor(place))
    expect(forced).toMatchObject({ code: 0, stderr: '' })
    expect(await contentsOf(place)).toEqual(await contentsOf(backup))
    expect(statSync(JSON.parse(forced.stdout).kept).size).toBe(statSync(backup).size)
    expect(namesLike('place').filter((name) => !name.includes('replaced'))).toEqual(['place.db'])
  })

  test('refuses while a server is running', async () => {
    const place = at('busy.db')
    copyFileSync(backup, place)
    await using _ = await startServer(place)
    await expectRefusal(['restore', backup, '--force'], place, /busy\.db is in use: stop the server/)
  })

  const damage: Record<string, { readonly by: (file: string) => void; readonly says: RegExp }> = {
    'cut short': { by: (file) => truncateSync(file, statSync(file).size - 8_192), says: /malformed|page/i },
    'counted wrongly': {
      by: (file) => change(file, "UPDATE counters SET count = count + 1 WHERE dimension = 'reports'"),
      says: /counters that differ from a recount: 1/,
    },
    'without an event': {
      by: (file) => change(file, 'DELETE FROM events WHERE row = (SELECT max(row) FROM events)'),
      says: /issues without their first event: 1/,
    },
    'of a newer release': {
      by: (file) => change(file, 'PRAGMA user_version = 99; UPDATE catalog SET oldest_schema = 99'),
      says: /schema version 99/,
    },
    'of something else': {
      by: (file) => change(file, 'PRAGMA user_version = 0'),
      says: /not a Bugle database/,
    },
    'not a database': { by: (file) => writeFileSync(file, 'Dear diary'), says: /not a SQLite database/ },
    'a PostgreSQL dump': { by: (file) => writeFileSync(file, 'PGDMP'), says: /PostgreSQL dump/ },
    'in use': { by: (file) => writeFileSync(`${file}-wal`, 'x'), says: /in use, with a log next to it/ },
  }
  test.concurrent.each(Object.entries(damage))('refuses a backup that is %s', async (_, { by, says }) => {
    using own = temporaryFolder()
    const [broken, place] = [join(own.path, 'broken.db'), join(own.path, 'kept.db')]
    for (const file of [broken, place]) copyFileSync(backup, file)
    by(broken)
    await expectRefusal(['restore', broken, '--force'], place, says)
  })
})

describe('on PostgreSQL', () => {
  const url = 'postgres://bugle:s3cret%20s3cret@db.example:5433/bugle?password=s3cret'

  test('backup explains what to use, without the password', async () => {
    const advised = await runBugle(['backup', 'it is.dump'], { BUGLE_DATABASE_URL: url })
    expect(advised).toMatchObject({ code: 1, stdout: '' })
    expect(advised.stderr).toContain(
      "pg_dump --format=custom --exclude-table-data=sign_ins --exclude-table-data=links --file='it is.dump' --dbname=postgres://bugle@db.example:5433/bugle\n",
    )
    expect(advised.stderr).not.toContain('s3cret')
  })

  test.each([
    ['custom', 'PGDMP\x01\x10\x00'],
    ['plain', '--\n-- PostgreSQL database dump\n--\n'],
  ])('a %s dump passes the doctor after it is restored', async (kind, content) => {
    const dump = at(`${kind}.dump`)
    writeFileSync(dump, content)
    const refused = await runBugle(['backup', '--check', dump], { BUGLE_DATABASE_URL: url })
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"bugle doctor"') })
  })
})

async function expectRefusal(args: readonly string[], place: string, says: RegExp): Promise<void> {
  const look = () => ({ digest: digestOf(place), names: readdirSync(dirname(place)).sort() })
  const before = look()
  const refused = await runBugle(args, settingsFor(place))
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) })
  expect(look()).toEqual(before)
}

function change(file: string, sql: string): void {
  using db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
}

function namesLike(word: string): readonly string[] {
  return readdirSync(folder.path).filter((name) => name.startsWith(word))
}

/** What a check of a backup counts in it. */
async function contentsOf(file: string): Promise<object> {
  const { code, stdout } = await runBugle(['backup', file, '--check', '--json'], settingsFor(file))
  expect(code).toBe(0)
  return { ...JSON.parse(stdout), file: null }
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
