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

test('brings issues along once, with their time and what was closed, and leaves alone what was changed since', async () => {
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
  expect(await migrate('github', join(EXAMPLE, 'github.json'))).toEqual(counts({ 'there already': 2 }))
  expect((await issues()).map(({ status }) => status)).toEqual(['open', 'open'])
})

test('says which issue was refused and why, brings the others, and ends with a failure', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'table.csv')
  const long = 'x'.repeat(300)
  writeFileSync(file, `id,title,priority\r\n1,"Cut, and ""quoted""",low\r\n2,Wrong,urgent\r\n3,${long},high`)
  const { code, stdout, stderr } = await run('csv', file)
  expect([code, JSON.parse(stdout)]).toEqual([1, counts({ stored: 2, refused: 1 })])
  expect(stderr).toMatch(/^csv-2: /)
  const titles = (await issues()).map(({ title }) => title).slice(-2)
  expect(titles).toEqual(['Cut, and "quoted"', long.slice(0, 256)])
})

function counts(given: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return { stored: 0, 'there already': 0, refused: 0, ...given }
}

async function issues(): Promise<readonly Record<string, unknown>[]> {
  return (await api.send('GET', '/v1/issues?sort=oldest', { key: project.secretKey })).body.data
}

async function migrate(kind: string, file: string): Promise<unknown> {
  const { code, stdout, stderr } = await run(kind, file)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function run(kind: string, file: string) {
  const env = { PATH: process.env['PATH'], BUGLE_URL: api.url, BUGLE_KEY: project.secretKey }
  const script = join(EXAMPLE, 'import-issues.mjs')
  const child = spawn(process.execPath, [script, kind, file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: code as number | null, stdout, stderr }
}
