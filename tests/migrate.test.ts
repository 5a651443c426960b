import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { ROOT } from './support/start-process.ts'

const EXAMPLE = join(ROOT, 'examples/migrate')

let api: TestApp
let project: TestProject
beforeAll(async () => {
  api = await startApp({ environment: { BUGLE_RATE_LIMITS: 'submit=60' } })
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

test('imports issues once, with their time and status, and keeps later changes', async () => {
  expect(await migrate('github', join(EXAMPLE, 'github.json'))).toEqual(counts({ stored: 2 }))
  const [open, closed] = await issues()
  expect(open).toMatchObject({ status: 'open', occurredAt: '2025-03-02T10:15:00.000Z' })
  expect(closed).toMatchObject({
    status: 'closed',
    occurredAt: '2024-11-20T08:00:00.000Z',
    category: 'crash',
  })

  const reopen = { key: project.secretKey, body: { status: 'open' } }
  await api.send('PATCH', `/v1/issues/${closed?.['id']}`, reopen)
  expect(await migrate('github', join(EXAMPLE, 'github.json'))).toEqual(counts({ 'already stored': 2 }))
  expect((await issues()).map(({ status }) => status)).toEqual(['open', 'open'])
})

test('reports which issue was refused and why, imports the others, and exits with a failure', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'table.csv')
  const long = 'x'.repeat(300)
  writeFileSync(file, `id,title,priority\r\n1,"Cut, and ""quoted""",low\r\n2,Wrong,urgent\r\n3,${long},high`)
  const { code, stdout, stderr } = await run('csv', file)
  expect([code, JSON.parse(stdout)]).toEqual([1, counts({ stored: 2, refused: 1 })])
  expect(stderr).toMatch(/^csv-2: .*#\/priority priority must be /)
  const titles = (await issues()).map(({ title }) => title).slice(-2)
  expect(titles).toEqual(['Cut, and "quoted"', long.slice(0, 256)])
})

test('reports what stays open, and which scope the key lacks', async () => {
  const other = await api.addProject()
  const file = join(EXAMPLE, 'github.json')
  for (const [scopes, lacks] of [
    [['issues:create'], 'issues:read'],
    [['issues:create', 'issues:read'], 'issues:triage'],
  ] as const) {
    const { code, stdout, stderr } = await run('github', file, {
      BUGLE_KEY: await api.addKey({ project: other, scopes }),
    })
    expect([code, JSON.parse(stdout)['left open']]).toEqual([1, 1])
    expect(stderr).toContain(lacks)
  }
})

test.for([
  ['a file that is missing', 'github', 'nowhere.json', {}, /^nowhere\.json cannot be read: ENOENT.*\n$/],
  ['a file that is not JSON', 'github', 'table.csv', {}, /^\S*table\.csv is no JSON: .*\n$/],
  ['another JSON', 'github', 'sentry.json', {}, /^\S*sentry\.json is not what "github" expects.*\n$/],
  ['a table without ids', 'csv', 'github.json', {}, /must name id and title.*\n$/],
  [
    'a server that is away',
    'csv',
    'table.csv',
    { BUGLE_URL: 'http://127.0.0.1:9' },
    /^\S+ cannot be reached .*\n$/,
  ],
  ['a key that is wrong', 'csv', 'table.csv', { BUGLE_KEY: 'bgl_sec_x' }, /^the key cannot submit: .*\n$/],
] as const)('%s is reported in one sentence', async ([, kind, file, settings, sentence]) => {
  const path = file === 'nowhere.json' ? file : join(EXAMPLE, file)
  const { code, stdout, stderr } = await run(kind, path, settings)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(sentence)
})

function counts(given: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return { stored: 0, 'already stored': 0, refused: 0, 'left open': 0, ...given }
}

async function issues(): Promise<readonly Record<string, unknown>[]> {
  return (await api.send('GET', '/v1/issues?sort=oldest', { key: project.secretKey })).body.data
}

async function migrate(kind: string, file: string): Promise<unknown> {
  const { code, stdout, stderr } = await run(kind, file)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function run(kind: string, file: string, settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'], BUGLE_URL: api.url, BUGLE_KEY: project.secretKey, ...settings }
  const script = join(EXAMPLE, 'import-issues.mjs')
  const child = spawn(process.execPath, [script, kind, file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: code as number | null, stdout, stderr }
}
