import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteInline } from '../packages/server/src/storage/sqlite/sqlite-storage.ts'
import { runBugle, startBugle } from '../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { linesOf } from '../packages/server/test-support/transfer-files.ts'
import { addProject, reportOf } from '../packages/server/test-support/transfer-projects.ts'
import { type Client, openClient } from './support/load.ts'
import { settingsFor, startFirstServer } from './support/start-server.ts'

const PATIENT = { timeout: 400_000 }

test(
  'an export of a server under load is a snapshot, and another server continues from it',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    const [from, to, file] = ['from.db', 'to.db', 'all.ndjson'].map((name) =>
      join(folder.path, name),
    ) as Paths
    const { server, keys } = await startFirstServer(from)
    await using _ = server
    await using client = openClient(server.url, keys.publicKey)
    const load = submitAgainAndAgain(client)
    await load.reaches(200)
    const before = load.acknowledged
    const exported = await runBugle(['export', file], settingsFor(from))
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    const reports = await load.stop()
    expect(reports).toBeGreaterThan(before)

    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = linesOf(readFileSync(file, 'utf8'))
    const [project] = lines.filter((line) => line.record === 'project')
    const numbers = lines.flatMap((line) => (line.record === 'issue' ? [line.number] : []))
    const positions = lines.flatMap((line) => (line.record === 'event' ? [line.position] : []))
    expect(numbers.length).toBeGreaterThanOrEqual(before)
    expect(numbers).toEqual(numbersTo(project?.lastIssueNumber))
    expect(positions).toEqual(numbersTo(project?.lastEventPosition))
    expect(lines.filter(({ record }) => record === 'submission')).toHaveLength(numbers.length)

    const { server: other } = await startFirstServer(to)
    await using _other = other
    const refused = await runBugle(['import', file], settingsFor(to))
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('all.ndjson: line 2: the database already has a project "demo"')
    await runBugle(['project', 'delete', 'demo', '--yes'], settingsFor(to))
    const imported = await runBugle(['import', file, '--json'], settingsFor(to))
    expect(imported).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(imported.stdout)).toMatchObject({ counts: { issue: numbers.length }, resumedAfter: 0 })

    await using otherClient = openClient(other.url, keys.publicKey)
    const first = await client.submit(reportNumber(0))
    const replayed = await otherClient.submit(reportNumber(0))
    expect(replayed.headers['idempotency-replayed']).toBe('true')
    expect(replayed.body).toEqual(first.body)
    const next = await otherClient.submit({ title: 'The next one' })
    expect(next.body.issueNumber).toBe(numbers.length + 1)
  },
)

test('an import that is killed resumes when it is run again', PATIENT, async () => {
  using folder = temporaryFolder()
  const [from, to, file] = ['from.db', 'to.db', 'big.ndjson'].map((name) => join(folder.path, name)) as Paths
  const source = openSqliteInline(from)
  const big = await addProject(source, 'big')
  await Promise.all(numbersTo(5_000).map((n) => source.issues.submit(reportOf(big, null, `Report ${n}`))))
  await source.close()
  expect(await runBugle(['export', file, '--project', 'big'], settingsFor(from))).toMatchObject({ code: 0 })

  expect(await runBugle(['migrate'], settingsFor(to))).toMatchObject({ code: 0 })
  const importing = startBugle(['import', file], settingsFor(to))
  const ended = once(importing, 'exit')
  await expect.poll(() => lastLineOf(to), { interval: 5 }).toBeGreaterThan(0)
  importing.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  const killedAt = lastLineOf(to)
  expect(killedAt).toBeLessThan(10_000)
  expect((await runBugle(['project', 'list', '--json'], settingsFor(to))).stdout).toBe('[]\n')

  const finished = await runBugle(['import', file, '--json'], settingsFor(to))
  expect(JSON.parse(finished.stdout)).toMatchObject({ resumedAfter: killedAt })
  const { stdout } = await runBugle(['export', '-'], settingsFor(to))
  expect(stdout === readFileSync(file, 'utf8')).toBe(true)
})

test('the commands report errors, and change nothing', PATIENT, async () => {
  using folder = temporaryFolder()
  const settings = settingsFor(join(folder.path, 'bugle.db'))
  const file = join(folder.path, 'all.ndjson')
  const expectRefusal = async (args: readonly string[], message: RegExp) => {
    const refused = await runBugle(args, settings)
    expect({ ...refused, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' })
    expect(refused.stderr).toMatch(message)
  }
  expect((await runBugle(['migrate'], settings)).code).toBe(0)
  await expectRefusal(['export', file, '--project', 'nobody'], /there is no project "nobody"/)
  await expectRefusal(['export', join(folder.path, 'no', 'file')], /file\.part cannot be written: ENOENT/)
  await expectRefusal(['import', file], /all\.ndjson cannot be read: ENOENT/)
  expect(readdirSync(folder.path).filter((name) => name.startsWith('all'))).toEqual([])
  writeFileSync(file, 'mine')
  await expectRefusal(['export', file], /all\.ndjson already exists/)
  expect(readFileSync(file, 'utf8')).toBe('mine')
  await expectRefusal(['import', file], /all\.ndjson: this is not a Bugle export/)
})

type Paths = [string, string, string]

/** Sixteen senders that run until they are stopped. */
function submitAgainAndAgain(client: Client) {
  let sent = 0
  let acknowledged = 0
  let isStopped = false
  async function send(): Promise<void> {
    while (!isStopped) {
      const { status } = await client.submit(reportNumber(sent++))
      expect(status).toBe(201)
      acknowledged++
    }
  }
  const senders = Promise.all(Array.from({ length: 16 }, send))
  return {
    get acknowledged() {
      return acknowledged
    },
    async reaches(count: number): Promise<void> {
      await expect.poll(() => acknowledged, { interval: 5 }).toBeGreaterThan(count)
    },
    async stop(): Promise<number> {
      isStopped = true
      await senders
      return acknowledged
    },
  }
}

function reportNumber(n: number) {
  return { title: `Report ${n}`, submissionId: `report-${n}` }
}

/** The progress of an import; 0 if there is none. */
function lastLineOf(database: string): number {
  const db = new DatabaseSync(database, { readOnly: true })
  const row = db.prepare('SELECT line FROM imports').get() as { line: number } | undefined
  db.close()
  return row?.line ?? 0
}

function numbersTo(last = 0): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
