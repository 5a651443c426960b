import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { startReceiver } from '../../../test-support/start-receiver.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { makeProject } from '../../domain/projects/projects.ts'
import { mintUnshardedId } from '../../model/ids.ts'
import { openSqliteInline } from '../../storage/sqlite/sqlite-storage.ts'

const project = makeProject({
  name: 'Weather',
  slug: 'weather',
  isPublic: false,
  defaultBranch: 'main',
  createdAt: 0,
})
const MISSING = mintUnshardedId('whk', 0)
const ALLOWED = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }

let folder: ReturnType<typeof temporaryFolder>
let database: string

beforeEach(async () => {
  folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  database = `sqlite:${path}`
  const storage = openSqliteInline(path)
  await storage.projects.create(project)
  await storage.close()
})
afterEach(() => folder[Symbol.dispose]())

const bugle = (...args: readonly string[]) => runBugle(args, { BUGLE_DATABASE_URL: database, ...ALLOWED })
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await bugle('webhook', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('bugle webhook', () => {
  it('adds, lists, pauses, resumes and removes', async () => {
    expect((await bugle('webhook', 'list', '--project', 'weather')).stdout).toContain('No webhooks yet')
    const options = ['--event', 'issue.created', '--include-security', '--format', 'slack', '--name', 'Team']
    const made = await json('add', '--project', 'weather', '--url', 'https://hooks.example.com/a', ...options)
    expect(made).toMatchObject({
      name: 'Team',
      eventTypes: ['issue.created'],
      includeSecurity: true,
      format: 'slack',
      secret: expect.stringMatching(/^whsec_/),
    })
    const { secret: _, ...webhook } = made
    expect(await json('list', '--project', 'weather')).toEqual([webhook])
    expect(await json('pause', webhook.id)).toMatchObject({
      status: 'paused',
      pausedReason: 'Paused manually.',
    })
    expect((await bugle('webhook', 'list', '--project', 'weather')).stdout).toMatch(
      /^ID +NAME +STATUS .*\nwhk_\w+ +Team +paused .*https:\/\/hooks\.example\.com\/a\n$/,
    )
    expect(await json('resume', webhook.id)).toMatchObject({ status: 'active', pausedReason: null })
    expect(await json('remove', webhook.id)).toEqual({ id: webhook.id })
    expect(await json('list', '--project', 'weather')).toEqual([])
  })

  it('shows the secret once, to people too', async () => {
    const { stdout } = await bugle('webhook', 'add', '--project', 'weather', '--url', 'https://a.example/')
    expect(stdout).toMatch(/\nsecret +whsec_[\w+/=]{44}\n\nThe secret is shown only once/)
  })

  it.each([
    [2, ['add', '--project', 'weather', '--url', 'https://10.0.0.1/'], 'belongs to a private network'],
    [2, ['add', '--project', 'weather', '--url', 'http://a.example/'], 'must start with https'],
    [
      2,
      ['add', '--project', 'weather', '--url', 'https://a.example/', '--event', 'x'],
      'there is no event type "x"',
    ],
    [2, ['add', '--project', 'weather', '--url', 'https://a.example/', '--format', 'x'], '--format must be'],
    [1, ['add', '--project', 'absent', '--url', 'https://a.example/'], 'there is no project "absent"'],
    [2, ['pause', 'whk_1'], 'is not the id of a webhook'],
    [1, ['pause', MISSING], 'there is no webhook'],
    [2, ['redeliver', MISSING, 'first'], 'is not a position'],
  ])('ends with %i and a reason for %j', async (code, args, reason) => {
    const outcome = await bugle('webhook', ...args)
    expect([outcome.code, outcome.stdout]).toEqual([code, ''])
    expect(outcome.stderr).toContain(reason)
  })

  it('works with a running server, which redelivers within a second', async () => {
    await using receiver = await startReceiver()
    const { id, secret } = await json('add', '--project', 'weather', '--url', receiver.url)
    expect(secret).toMatch(/^whsec_/)
    await using api = await startApp({ databaseUrl: database, environment: ALLOWED })
    const key = await api.addKey({ project, kind: 'public' })
    await api.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
    await expect.poll(() => receiver.received.length).toBe(1)
    await expect.poll(() => json('deliveries', id)).toMatchObject([{ position: 1, status: 'delivered' }])
    expect((await bugle('webhook', 'redeliver', id, '9')).stderr).toContain('has no delivery at position 9')
    await json('redeliver', id, '1')
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.taken.size).toBe(1)
  })
})
