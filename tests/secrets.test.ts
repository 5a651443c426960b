import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../packages/server/test-support/start-app.ts'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Secret, type Told, tellSecrets } from './support/secret-story.ts'
import { startFirstServer, startServer } from './support/start-server.ts'

describe('a run of every kind of request', () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'data', 'bugle.db')
  let secrets: Readonly<Record<string, Secret>> = {}
  let told: readonly Told[] = []
  let log = ''
  let stored = ''

  beforeAll(async () => {
    await using receiver = await startReceiver()
    const { server: first, keys } = await startFirstServer(database)
    await first.end('SIGTERM')
    const metricsToken = 'the-token-of-the-operator'
    await using server = await startServer(database, {
      BUGLE_LOG_LEVEL: 'trace',
      BUGLE_METRICS_TOKEN: metricsToken,
      BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
    })
    const story = await tellSecrets({ url: server.url, database, keys, metricsToken, receiver })
    await server.end('SIGTERM')
    ;({ secrets, told } = story)
    log = server.stdout + server.stderr
    stored = globSync(`${database}*`)
      .map((file) => readFileSync(file, 'latin1'))
      .join('')
  })
  afterAll(() => folder[Symbol.dispose]())

  function namesOfSecretsIn(text: string): readonly string[] {
    return Object.entries(secrets)
      .filter(([, { value }]) => text.includes(value) || text.includes(encodeURIComponent(value)))
      .map(([name]) => name)
  }

  test('took place', () => {
    expect(Object.entries(secrets).filter(([, { value }]) => value.length < 16)).toEqual([])
    for (const name of Object.values(secrets).flatMap(({ shownBy = [] }) => shownBy))
      expect(told.map((one) => one.name)).toContain(name)
    expect(told.some(({ name, text }) => name === 'readMetrics' && text.includes('bugle_info'))).toBe(true)
    expect(log).toContain('"msg":"answered"')
    expect(stored).toContain('SQLite format 3')
  })

  test('left no secret in the log', () => {
    expect(namesOfSecretsIn(log)).toEqual([])
  })

  test('showed no secret in a response, except where it is meant to be shown', () => {
    const shown = told.flatMap(({ name, text }) =>
      namesOfSecretsIn(text)
        .filter((secret) => secrets[secret]?.shownBy?.includes(name) !== true)
        .map((secret) => `${secret}, by ${name}`),
    )
    expect(shown).toEqual([])
  })

  test('stored no secret in plain text that can be hashed', () => {
    expect(namesOfSecretsIn(stored).filter((name) => secrets[name]?.isKept !== true)).toEqual([])
  })

  test('created a folder that other accounts cannot read', () => {
    expect(statSync(dirname(database)).mode & 0o077).toBe(0)
  })

  test('showed no stack trace', () => {
    for (const { text } of told) expect(text).not.toMatch(/node:internal|\.ts:\d+/)
  })
})

test('an internal error is logged, and the caller sees no details', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  await using api = await startApp({ databaseUrl: `sqlite:${path}` })
  const project = await api.addProject()
  // The server may be storing the files of the SDK.
  using db = new DatabaseSync(path, { timeout: 30_000 })
  db.exec('ALTER TABLE issues RENAME TO mislaid')
  const { status, body } = await api.send('GET', '/v1/issues', { key: project.secretKey })
  expect([status, body.code]).toEqual([500, 'internal-error'])
  const members = ['code', 'detail', 'instance', 'requestId', 'status', 'title', 'type']
  expect(Object.keys(body).toSorted()).toEqual(members)
  expect(JSON.stringify(body)).not.toMatch(/mislaid|table|sqlite|node:|\.ts/i)
})

test('an internal error is logged without what people type', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const { server: first, keys } = await startFirstServer(path)
  await first.end('SIGTERM')
  await using server = await startServer(path, { BUGLE_LOG_LEVEL: 'trace' })
  const search = (title: string) =>
    fetch(`${server.url}/v1/known-issues/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.publicKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
  expect((await search('quagga')).status).toBe(200)
  {
    // The server may be storing the files of the SDK.
    using db = new DatabaseSync(path, { timeout: 30_000 })
    db.exec('ALTER TABLE issues RENAME COLUMN known_title TO mislaid')
  }
  const answer = await search('quagga')
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('quagga')
  await server.end('SIGTERM')
  const log = server.stdout + server.stderr
  expect(log).toContain('request failed')
  expect(log).not.toContain('quagga')
})
