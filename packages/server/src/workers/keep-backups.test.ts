import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, globSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { declare } from '../../test-support/attachment-stage.ts'
import { parsePrometheus } from '../../test-support/parse-prometheus.ts'
import { runBugle } from '../../test-support/run-bugle.ts'
import { startS3Server } from '../../test-support/s3-server.ts'
import { startApp, type TestApp } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { listObjects } from '../storage/files/s3-objects.ts'
import { createSender } from '../storage/files/s3-requests.ts'

const HOUR_MS = 3_600_000
const TOKEN = 'a token for metrics'.replaceAll(' ', '-')
/** Processes start slowly on a busy machine. */
const PATIENT = { timeout: 60_000 }

/** A database, a folder for its backups, and a clock that a test sets. */
function setUp() {
  const folder = temporaryFolder()
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  const backups = join(folder.path, 'backups')
  const state = { now: Date.UTC(2026, 10, 19, 3) }
  return {
    path: folder.path,
    databaseUrl,
    backups,
    state,
    start: (environment: Readonly<Record<string, string>> = {}, logTo = { write: (_: string): void => {} }) =>
      startApp({
        ...{ databaseUrl, logTo },
        clock: () => state.now,
        // Without a pause after a failure: the clock stands still, and a connection to a bucket can break at any time.
        intervals: { backup: 20, backupRetry: 0 },
        environment: { BUGLE_BACKUP_URL: backups, BUGLE_METRICS_TOKEN: TOKEN, ...environment },
      }),
    files: () => globSync(`${folder.path}/bugle.db-files/[0-9]*/*`),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** The times in the names, in hours after the first. */
function hoursOf(names: readonly string[], start: number): readonly number[] {
  return names
    .map((name) => /-(\d{4}-.*T\d\d)-\d\d-\d\d-\d{3}Z/.exec(name)?.[1] ?? '')
    .filter((hour) => hour !== '')
    .map((hour) => (Date.parse(`${hour}:00:00Z`) - start) / HOUR_MS)
    .sort((one, other) => one - other)
}

const namesIn = (folder: string): readonly string[] => globSync('*', { cwd: folder })

async function addFile(api: TestApp, bytes: Buffer): Promise<void> {
  const { publicKey: key } = await api.addProject()
  const body = { title: 'With a file', submissionId: randomUUID(), attachments: [declare(bytes)] }
  await api.send('POST', '/v1/issues', { key, body })
  const path = `/v1/submissions/${body.submissionId}/attachments/${body.attachments[0]?.sha256}`
  expect((await api.send('PUT', path, { key, body: bytes })).status).toBe(201)
}

const scheduleOf = async (api: TestApp, key: string) =>
  (await api.send('GET', '/admin/server', { key })).body.scheduledBackups

async function findingOf(api: TestApp, key: string) {
  const { body } = await api.send('GET', '/admin/server', { key })
  return body.findings.find(({ check }: { check: string }) => check === 'scheduled backups')
}

it('makes a checked backup that only its owner can read, and shows its age and size', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  await using api = await start()
  const admin = await api.addUser({ canSeeSecurity: true })
  await expect.poll(async () => (await scheduleOf(api, admin)).latest, PATIENT).not.toBeNull()
  const [name = '', ...others] = namesIn(backups)
  expect(others).toEqual([])
  const { mode, size: bytes } = statSync(join(backups, name))
  expect([mode & 0o777, statSync(backups).mode & 0o777]).toEqual([0o600, 0o700])
  expect((await runBugle(['backup', '--check', join(backups, name)], {})).code).toBe(0)

  const latest = { name, at: new Date(state.now).toISOString(), bytes, isWhole: true }
  expect(await scheduleOf(api, admin)).toEqual({ place: backups, everyHours: 24, latest, fault: null })
  expect((await scheduleOf(api, await api.addUser())).latest).toEqual({ ...latest, bytes: null })
  await expect
    .poll(async () => (await api.send('GET', '/admin/server', { key: admin })).body.lastBackup, PATIENT)
    .toEqual({ at: expect.any(String), by: null })
  state.now += HOUR_MS
  const headers = { authorization: `Bearer ${TOKEN}` }
  const metrics = parsePrometheus(await (await fetch(`${api.url}/metrics`, { headers })).text())
  const gauge = (of: string) => metrics.get(of)?.samples[0]?.value
  expect([gauge('bugle_backup_age_seconds'), gauge('bugle_backup_bytes')]).toEqual([3_600, bytes])
})

it('continues its schedule after a restart', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  const began = state.now
  {
    await using _api = await start()
    await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0])
  }
  state.now += HOUR_MS
  await using api = await start()
  const admin = await api.addUser()
  // The schedule has looked at the destination, and found the backup new enough.
  await expect.poll(async () => (await scheduleOf(api, admin)).latest, PATIENT).not.toBeNull()
  state.now = began + 24 * HOUR_MS
  await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0, 24])
  expect(namesIn(backups)).toHaveLength(2)
})

it('shows no backup from the future, which was made before the clock was set back', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  const began = state.now
  {
    await using _api = await start()
    await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0])
  }
  const [name = ''] = namesIn(backups)
  copyFileSync(join(backups, name), join(backups, name.replace('T03-', 'T05-')))
  expect(hoursOf(namesIn(backups), began)).toEqual([0, 2])
  state.now += HOUR_MS
  await using api = await start()
  const admin = await api.addUser()
  await expect.poll(async () => (await scheduleOf(api, admin)).latest?.name, PATIENT).toBe(name)
})

it('keeps the newest ones, and deletes no other file', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  const began = state.now
  mkdirSync(backups)
  const others = [
    'bugle-2026-11-15.db',
    'bugle-00000001-2020-01-01T00-00-00-000Z.db',
    'bugle-00000001.part',
    'notes.txt',
  ]
  for (const name of others) writeFileSync(join(backups, name), 'not ours')
  await using _api = await start({ BUGLE_BACKUP_KEEP: '2', BUGLE_BACKUP_HOURS: '6' })
  const own = () => namesIn(backups).filter((name) => !others.includes(name))
  for (const kept of [[0], [0, 6], [6, 12], [12, 18]]) {
    await expect.poll(() => hoursOf(own(), began), PATIENT).toEqual(kept)
    expect(own().filter((name) => name.endsWith('.part'))).toEqual([])
    state.now += 6 * HOUR_MS
  }
  for (const name of others) expect(statSync(join(backups, name)).size).toBe('not ours'.length)
})

it('backs up everything else when files are missing, without replacing complete backups', async () => {
  using stage = setUp()
  const { backups, state, start, files } = stage
  await using api = await start({ BUGLE_BACKUP_KEEP: '1' })
  const admin = await api.addUser()
  await addFile(api, Buffer.from('lost soon'))
  await expect.poll(async () => (await scheduleOf(api, admin)).latest?.isWhole, PATIENT).toBe(true)
  const [whole = ''] = namesIn(backups)
  for (const file of files()) rmSync(file)
  state.now += 24 * HOUR_MS
  await expect.poll(async () => (await scheduleOf(api, admin)).latest.isWhole, PATIENT).toBe(false)
  expect(namesIn(backups)).toEqual(expect.arrayContaining([whole, expect.stringMatching(/-incomplete\.db$/)]))
  expect(namesIn(backups)).toHaveLength(2)
})

it('neither delays submissions nor leaves anything when it is interrupted', async () => {
  using stage = setUp()
  const { backups, start, files } = stage
  {
    await using api = await start({ BUGLE_BACKUP_URL: '' })
    await addFile(api, Buffer.from('slow'))
  }
  // Reading it does not end.
  const [slow = ''] = files()
  rmSync(slow)
  execFileSync('mkfifo', [slow])
  {
    await using api = await start()
    await expect.poll(() => namesIn(backups), PATIENT).toEqual([expect.stringMatching(/\.part$/)])
    const { publicKey: key } = await api.addProject({ slug: 'meanwhile' })
    const { status } = await api.send('POST', '/v1/issues', { key, body: { title: 'Meanwhile' } })
    expect(status).toBe(201)
  }
  expect(readdirSync(backups)).toEqual([])
  rmSync(slow)
  await using _api = await start()
  await expect.poll(() => namesIn(backups), PATIENT).toEqual([expect.stringMatching(/-incomplete\.db$/)])
})

it('says why there is no backup, and tries again', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  writeFileSync(backups, 'not a folder')
  await using api = await start()
  const admin = await api.addUser()
  await expect
    .poll(() => scheduleOf(api, admin), PATIENT)
    .toMatchObject({ latest: null, fault: expect.stringMatching(/ENOTDIR|EEXIST|not a directory/) })
  expect(await findingOf(api, admin)).toMatchObject({
    verdict: 'problem',
    found: expect.stringMatching(/last attempt failed .*there is none$/),
  })
  rmSync(backups)
  state.now += 1_000
  await expect
    .poll(() => scheduleOf(api, admin), PATIENT)
    .toMatchObject({ latest: { isWhole: true }, fault: null })
  expect(await findingOf(api, admin)).toMatchObject({ verdict: 'ok' })
})

it.each(['a folder', 'a bucket'])('makes none in %s while the copy has no room on its disk', async (kind) => {
  using stage = setUp()
  const { path, backups, state, start } = stage
  await using s3 = await startS3Server()
  const place = kind === 'a folder' ? backups : s3.url
  {
    await using api = await start({ BUGLE_BACKUP_URL: '' })
    await api.addProject()
  }
  setFileBytes(path, 2 ** 50)
  await using api = await start({ BUGLE_BACKUP_URL: place })
  const admin = await api.addUser()
  const disk = kind === 'a folder' ? backups : path
  const why = new RegExp(
    `^A backup requires [\\d.,]+ [GT]iB of free disk space in ${disk} \\(.*\\), but only [\\d.,]+ [MGT]iB is free. Free up space`,
  )
  await expect
    .poll(() => scheduleOf(api, admin), PATIENT)
    .toMatchObject({ latest: null, fault: expect.stringMatching(why) })
  // It tries again all the time, and leaves nothing.
  await expect.poll(() => globSync(`${path}/**/*.part`), PATIENT).toEqual([])
  setFileBytes(path, 0)
  state.now += 1_000
  await expect.poll(async () => (await scheduleOf(api, admin)).latest, PATIENT).not.toBeNull()
})

/** As if the database had files of this size. */
function setFileBytes(folder: string, bytes: number): void {
  using db = new DatabaseSync(join(folder, 'bugle.db'), { timeout: 5_000 })
  db.prepare('UPDATE projects SET file_bytes = ?').run(bytes)
}

it('never deletes the backups of the database that a restored one comes from', async () => {
  using stage = setUp()
  const { path, backups, state, start } = stage
  const began = state.now
  {
    await using _api = await start({ BUGLE_BACKUP_KEEP: '1' })
    await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0])
  }
  const [first = ''] = namesIn(backups)
  const databaseUrl = `sqlite:${join(path, 'restored.db')}`
  expect((await runBugle(['restore', join(backups, first)], { BUGLE_DATABASE_URL: databaseUrl })).code).toBe(
    0,
  )
  state.now += 24 * HOUR_MS
  await using _restored = await startApp({
    databaseUrl,
    clock: () => state.now,
    intervals: { backup: 20, backupRetry: 0 },
    environment: { BUGLE_BACKUP_URL: backups, BUGLE_BACKUP_KEEP: '1' },
  })
  await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0, 24])
  state.now += 24 * HOUR_MS
  await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0, 48])
  expect(namesIn(backups)).toContain(first)
})

it('makes one soon after all were deleted', async () => {
  using stage = setUp()
  const { backups, state, start } = stage
  const began = state.now
  await using _api = await start()
  await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([0])
  for (const name of namesIn(backups)) rmSync(join(backups, name))
  state.now += HOUR_MS
  await expect.poll(() => hoursOf(namesIn(backups), began), PATIENT).toEqual([1])
})

it('logs a destination that cannot be used without a stack', async () => {
  using stage = setUp()
  const { backups, start } = stage
  writeFileSync(backups, 'not a folder')
  const lines: string[] = []
  await using _api = await start({ BUGLE_LOG_LEVEL: 'warn' }, { write: (line) => void lines.push(line) })
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /no backup/.test(msg))
  await expect.poll(logged, PATIENT).toHaveLength(1)
  expect(logged()[0]).toMatchObject({ reason: expect.stringMatching(/ENOTDIR|EEXIST|not a directory/) })
  expect(logged()[0]).not.toHaveProperty('err')
})

it('makes one where the priority of a process cannot be changed', async () => {
  using stage = setUp()
  const forbid = "import os from 'node:os'; os.setPriority = () => { throw new Error('EPERM') }"
  const sync = "; import { syncBuiltinESMExports as sync } from 'node:module'; sync()"
  const { NODE_OPTIONS: options = '' } = process.env
  const { setPriority } = os
  // In this process, and in the one that makes the backup.
  process.env['NODE_OPTIONS'] =
    `${options} --import=data:text/javascript,${encodeURIComponent(forbid + sync)}`
  os.setPriority = () => {
    throw new Error('EPERM')
  }
  syncBuiltinESMExports()
  try {
    await using _api = await stage.start()
    await expect.poll(() => namesIn(stage.backups), PATIENT).toEqual([expect.stringMatching(/Z\.db$/)])
  } finally {
    process.env['NODE_OPTIONS'] = options
    os.setPriority = setPriority
    syncBuiltinESMExports()
  }
})

it('puts backups into a bucket, and needs the right to delete only if old ones are deleted', async () => {
  using stage = setUp()
  const { state, start, path } = stage
  await using s3 = await startGuardedBucket()
  const began = state.now
  const objects = s3.names
  // The bucket lists an object while it is still being sent.
  const isMade = (api: TestApp, key: string) =>
    expect.poll(async () => Date.parse((await scheduleOf(api, key)).latest?.at), PATIENT).toBe(state.now)
  {
    await using api = await start({ BUGLE_BACKUP_URL: s3.url, BUGLE_BACKUP_KEEP: 'all' })
    const admin = await api.addUser()
    await isMade(api, admin)
    state.now += 24 * HOUR_MS
    await isMade(api, admin)
    expect([hoursOf(await objects(), began), s3.refused()]).toEqual([[0, 24], 0])
  }
  await using api = await start({ BUGLE_BACKUP_URL: s3.url, BUGLE_BACKUP_KEEP: '1' })
  const admin = await api.addUser({ email: 'second@example.com' })
  state.now += 24 * HOUR_MS
  await isMade(api, admin)
  expect([hoursOf(await objects(), began), s3.refused()]).toEqual([[0, 24, 48], 1])
  s3.allowDeletion()
  state.now += 24 * HOUR_MS
  await isMade(api, admin)
  expect(hoursOf(await objects(), began)).toEqual([72])
  expect(readdirSync(path).filter((name) => name.includes('part'))).toEqual([])
  const copy = join(path, 'downloaded.db')
  writeFileSync(copy, await s3.read((await objects())[0] ?? ''))
  expect((await runBugle(['backup', '--check', copy], {})).code).toBe(0)
})

/** A bucket behind a server that refuses deletions until they are allowed, and counts the refusals. */
async function startGuardedBucket() {
  const s3 = await startS3Server()
  let mayDelete = false
  let refused = 0
  const guard = createServer((request, response) => {
    if (request.method === 'DELETE' && !mayDelete) {
      refused++
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return
    }
    const { method = 'GET', headers, url: path = '/' } = request
    const forwarded = forward(new URL(path, s3.bucket.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    // What either side cuts is cut on the other.
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  guard.listen(0, '127.0.0.1')
  await once(guard, 'listening')
  const send = createSender(s3.bucket)
  return {
    url: s3.url.replace(new URL(s3.url).host, `127.0.0.1:${(guard.address() as AddressInfo).port}`),
    allowDeletion() {
      mayDelete = true
    },
    refused: () => refused,
    async names() {
      const names: string[] = []
      for await (const { name } of listObjects(s3.bucket, send)) names.push(name)
      return names
    },
    read: async (name: string) => buffer(await send({ method: 'GET', key: s3.bucket.prefix + name })),
    async [Symbol.asyncDispose]() {
      guard.closeAllConnections()
      guard.close()
      await s3[Symbol.asyncDispose]()
    },
  }
}
