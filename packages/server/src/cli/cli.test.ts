import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, describe, expect } from 'vitest'
import { type Outcome, runBugle } from '../../test-support/run-bugle.ts'
import { startApp } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { mintUnshardedId } from '../ids.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Every test has the real command for itself, on a database of its own. */
const test = base.extend<{ bugle: Bugle }>({
  bugle: async ({ task: _ }, use) => {
    using folder = temporaryFolder()
    await use(createBugle(join(folder.path, 'bugle.db')))
  },
})

describe.concurrent('bugle project', () => {
  test('create makes a private project on main, unless it is told otherwise', async ({ bugle }) => {
    expect(await bugle.json('project create --name Weather --slug weather')).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-z]{26}$/),
      name: 'Weather',
      slug: 'weather',
      isPublic: false,
      defaultBranch: 'main',
      createdAt: expect.stringMatching(TIME),
    })
    const told = await bugle.json('project create --name Maps --slug maps --public --default-branch trunk')
    expect(told).toMatchObject({ isPublic: true, defaultBranch: 'trunk' })
  })

  test('list shows every project, oldest first', async ({ bugle }) => {
    expect(await bugle.run('project list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/no project yet/),
    })
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project create --name Maps --slug maps --public')
    expect(await bugle.json('project list')).toMatchObject([{ slug: 'weather' }, { slug: 'maps' }])
    const { stdout } = await bugle.run('project list')
    expect(stdout).toMatch(/^SLUG +NAME .*\nweather +Weather +private .*\nmaps +Maps +public .*\n$/)
  })

  test('show finds a project by slug and by id', async ({ bugle }) => {
    const project = await bugle.json('project create --name Weather --slug weather')
    expect(await bugle.json('project show weather')).toEqual(project)
    expect(await bugle.json(`project show ${project.id}`)).toEqual(project)
  })

  test('update changes what it names and nothing else', async ({ bugle }) => {
    const project = await bugle.json('project create --name Weather --slug weather')
    const changed = { ...project, name: 'Climate', slug: 'climate' }
    expect(await bugle.json('project update weather --name Climate --slug climate')).toEqual(changed)
    expect(await bugle.json('project show climate')).toEqual(changed)
    await expectFailure(bugle, 'project show weather', 'there is no project "weather"')
  })

  test('delete wants to be told twice', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    expect(await bugle.run('project delete weather')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--yes/),
    })
    expect(await bugle.json('project list')).toHaveLength(1)
    expect(await bugle.json('project delete weather --yes')).toMatchObject({ slug: 'weather' })
    expect(await bugle.json('project list')).toEqual([])
  })

  test('a slug belongs to one project', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const maps = await bugle.json('project create --name Maps --slug maps')
    const says = 'another project has the slug "weather"'
    await expectFailure(bugle, 'project create --name Other --slug weather', says)
    await expectFailure(bugle, 'project update maps --name Other --slug weather', says)
    expect(await bugle.json('project list')).toMatchObject([{ slug: 'weather' }, maps])
  })
})

describe.concurrent('bugle key', () => {
  test('create shows the token of a public key, and list shows it again', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const key = await bugle.json('key create --project weather --kind public --name iOS')
    expect(key).toMatchObject({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      kind: 'public',
      name: 'iOS',
      token: expect.stringMatching(/^bgl_pub_\w{36}$/),
      scopes: [],
      revokedAt: null,
    })
    expect((await bugle.run('key list --project weather')).stdout).toContain(key.token)
  })

  test('create shows the token of a secret key this once, and list only how it ends', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const key = await bugle.json('key create --project weather --kind secret --scope issues:read')
    expect(key).toMatchObject({ token: expect.stringMatching(/^bgl_sec_\w{36}$/), scopes: ['issues:read'] })
    for (const line of ['key list --project weather', 'key list --project weather --json']) {
      const { stdout } = await bugle.run(line)
      expect(stdout).toContain(key.id)
      expect(stdout).toContain(key.token.slice(-4))
      expect(stdout).not.toContain(key.token.slice(8, -4))
    }
  })

  test('create takes several scopes and origins, and keys for all projects are apart', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const instance = 'key create --all-projects --kind secret --scope issues:read --scope projects:read'
    expect(await bugle.json(instance)).toMatchObject({ scopes: ['issues:read', 'projects:read'] })
    const page =
      'key create --project weather --kind public --origin https://a.example --origin http://localhost:5173'
    expect(await bugle.json(page)).toMatchObject({ origins: ['https://a.example', 'http://localhost:5173'] })
    expect(await bugle.json('key list --all-projects')).toHaveLength(1)
    expect(await bugle.json('key list --project weather')).toHaveLength(1)
  })

  test('revoke stops a key for good, and says so when it had been before', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const { id } = await bugle.json('key create --project weather --kind public')
    expect(await bugle.json(`key revoke ${id}`)).toEqual({ id, outcome: 'revoked' })
    const listed = await bugle.json('key list --project weather')
    expect(listed).toMatchObject([{ id, revokedAt: expect.stringMatching(TIME) }])
    expect(await bugle.json(`key revoke ${id}`)).toEqual({ id, outcome: 'already-revoked' })
    expect(await bugle.json('key list --project weather')).toEqual(listed)
  })

  test('fails for what is not there', async ({ bugle }) => {
    const missing = mintUnshardedId('key', Date.now())
    await expectFailure(bugle, `key revoke ${missing}`, `there is no key "${missing}"`)
    await expectFailure(bugle, 'key list --project maps', 'there is no project "maps"')
    await expectFailure(bugle, 'key create --project maps --kind public', 'there is no project "maps"')
  })
})

test('bugle migrate makes the schema, and leaves one that is up to date alone', async ({ bugle }) => {
  const first = await bugle.json('migrate')
  expect(first).toEqual({ from: 0, to: expect.any(Number) })
  expect(await bugle.json('migrate')).toEqual({ from: first.to, to: first.to })
})

describe.concurrent('bad usage exits 2 with one sentence and touches nothing', () => {
  test.for([
    ['nonsense', 'there is no command "nonsense"'],
    ['--json', 'the options come after the command'],
    ['project', '"project" needs one of create'],
    ['project nonsense', '"project" needs one of create'],
    ['project create --name Maps', 'needs --slug'],
    ['project create --name= --slug maps', '--name must have'],
    ['project create --name Maps --slug Maps!', '--slug must have'],
    ['project create --name Maps --slug maps --colour', "Unknown option '--colour'"],
    ['project show', 'takes SLUG'],
    ['project show maps weather', 'takes SLUG'],
    ['project update maps', 'nothing to change'],
    ['project update maps --public --private', 'exclude each other'],
    ['key create --project maps', 'needs --kind'],
    ['key create --kind public', 'give either --project SLUG or --all-projects'],
    ['key create --project maps --kind golden', '--kind must be public or secret'],
    ['key create --project maps --kind secret', 'needs --scope'],
    ['key create --project maps --kind secret --scope all', 'there is no scope "all"'],
    ['key create --project maps --kind secret --scope issues:read --origin https://a.b', 'no --origin'],
    ['key create --project maps --kind public --scope issues:read', 'a public key has no scopes'],
    ['key create --project maps --kind public --origin https://a.b/page', 'is no origin'],
    ['key create --all-projects --kind public', 'belongs to one project'],
    ['key revoke weather', '"weather" is no id of a key'],
  ] as const)('bugle %s', async ([line, says], { bugle }) => {
    const { code, stdout, stderr } = await bugle.run(line)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^bugle: .+\n$/)
    expect(stderr).toContain(says)
    expect(existsSync(bugle.database)).toBe(false)
  })
})

describe.concurrent('a failure', () => {
  test('prints nothing on standard output, even with --json', async ({ bugle }) => {
    await expectFailure(bugle, 'project show maps --json', 'there is no project "maps"')
  })

  test('to open the database is told without a stack trace', async ({ bugle }) => {
    const folder = dirname(bugle.database)
    const outcome = await bugle.runWith({ BUGLE_DATABASE_URL: `sqlite:${folder}` }, 'project list')
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^bugle: .*open.*\n$/),
    })
  })

  test('of the configuration names every problem', async ({ bugle }) => {
    const outcome = await bugle.runWith({ BUGLE_PORT: 'many', BUGLE_LOG_LEVEL: 'loud' }, 'project list')
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toMatch(/^bugle: BUGLE_PORT must be .*\nBUGLE_LOG_LEVEL must be .*\n$/)
  })
})

describe.concurrent('help', () => {
  test('lists every command, without a word and with --help', async ({ bugle }) => {
    const overview = await bugle.run('--help')
    expect(overview).toMatchObject({ code: 0, stderr: '' })
    expect(overview.stdout).toMatch(/^ {2}serve .*(\n.*)*^ {2}project create .*(\n.*)*^ {2}migrate /m)
    expect(await bugle.run('')).toEqual(overview)
  })

  test('of a group lists its commands alone', async ({ bugle }) => {
    const { stdout } = await bugle.run('key --help')
    expect(stdout).toContain('  key revoke ID')
    expect(stdout).not.toContain('  project ')
  })

  test.for([
    ['serve', '--json'],
    ['project create', '--slug SLUG'],
    ['project delete', '--yes'],
    ['key create', '--origin ORIGIN'],
    ['migrate', '--json'],
  ] as const)('of bugle %s tells its options and does nothing else', async ([command, option], { bugle }) => {
    const { code, stdout, stderr } = await bugle.run(`${command} --help`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: bugle ${command} `))
    expect(stdout).toContain(`  ${option} `)
    expect(existsSync(bugle.database)).toBe(false)
  })
})

describe.concurrent('text of strangers', () => {
  const HOSTILE = 'Weather\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\u202eevil\u2028'
  const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/

  test('is shown on the terminal, not obeyed', async ({ bugle }) => {
    await bugle.run('project create --slug weather --default-branch', HOSTILE, '--name', HOSTILE)
    await bugle.run('key create --project weather --kind public --name', HOSTILE)
    const outcomes = await Promise.all([
      bugle.run('project list'),
      bugle.run('project show weather'),
      bugle.run('project update weather --name', `${HOSTILE}!`),
      bugle.run('key list --project weather'),
    ])
    for (const { code, stdout } of outcomes) {
      expect(code).toBe(0)
      expect(stdout).not.toMatch(UNSAFE)
      expect(stdout).toContain('\\u{1b}')
    }
    expect(outcomes[0]?.stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  test('is shown in a complaint about it, not obeyed', async ({ bugle }) => {
    for (const line of ['', 'project show', 'key revoke']) {
      const { code, stderr } = await bugle.run(line, HOSTILE)
      expect(code).toBeGreaterThan(0)
      expect(stderr).toContain('\\u{1b}')
      expect(stderr).not.toMatch(UNSAFE)
    }
  })

  test('comes back from --json as it was', async ({ bugle }) => {
    const project = await bugle.json('project create --slug weather --name', HOSTILE)
    expect(project.name).toBe(HOSTILE)
  })
})

// One after the other: here the time counts.
describe('a running server', () => {
  test('honours a new key at once, and refuses a revoked one within a second', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const { id, token } = await bugle.json('key create --project weather --kind public')
    const submit = () => app.send('POST', '/v1/issues', { key: token, body: { title: 'Blank' } })
    expect((await submit()).status).toBe(201)

    await bugle.json(`key revoke ${id}`)
    await expectWithinASecond(async () => (await submit()).status, 401)
  })

  test('shows a project to strangers while it is public, from a second after the command', async ({
    bugle,
  }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const status = async () => (await app.send('GET', '/v1/issues?projectId=weather')).status
    expect(await status()).toBe(401)

    await bugle.json('project update weather --public')
    await expectWithinASecond(status, 200)
    await bugle.json('project update weather --private')
    await expectWithinASecond(status, 401)
  })

  test('forgets an old slug within a second', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    const { token: key } = await bugle.json('key create --project weather --kind public')
    const statusOf = async (slug: string) => (await app.send('GET', `/v1/projects/${slug}`, { key })).status
    expect(await statusOf('weather')).toBe(200)

    await bugle.json('project update weather --slug climate')
    await expectWithinASecond(() => statusOf('weather'), 404)
    expect(await statusOf('climate')).toBe(200)
  })

  test('stops the keys of a deleted project within a second, and its issues are gone', async ({ bugle }) => {
    await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project create --name Maps --slug maps')
    const { token } = await bugle.json('key create --project weather --kind public')
    const { token: key } = await bugle.json('key create --all-projects --kind secret --scope issues:read')
    const submit = () => app.send('POST', '/v1/issues', { key: token, body: { title: 'Blank' } })
    const [{ body: record }] = [await submit(), await submit()]

    expect(await bugle.json('project delete weather --yes')).toMatchObject({ removedIssues: 2 })
    await expectWithinASecond(async () => (await submit()).status, 401)
    expect((await app.send('GET', `/v1/issues/${record.id}`, { key })).status).toBe(404)
    expect((await app.send('GET', '/v1/issues?projectId=maps', { key })).status).toBe(200)
  })
})

/** The command in a process of its own. A line is split at its spaces; words that have some follow it. */
interface Bugle {
  readonly database: string
  run(line: string, ...words: readonly string[]): Promise<Outcome>
  runWith(settings: Readonly<Record<string, string>>, line: string): Promise<Outcome>
  /** With `--json`: it succeeds, and everything it prints is one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  json(line: string, ...words: readonly string[]): Promise<any>
}

function createBugle(database: string): Bugle {
  const settings = { BUGLE_DATABASE_URL: `sqlite:${database}` }
  const run = (line: string, ...words: readonly string[]) => runBugle([...wordsOf(line), ...words], settings)
  return {
    database,
    run,
    runWith: (more, line) => runBugle(wordsOf(line), { ...settings, ...more }),
    async json(line, ...words) {
      const { code, stdout, stderr } = await run(line, ...words, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
  }
}

function wordsOf(line: string): readonly string[] {
  return line === '' ? [] : line.split(' ')
}

async function expectFailure(bugle: Bugle, line: string, says: string): Promise<void> {
  const { code, stdout, stderr } = await bugle.run(line)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^bugle: .+\n$/)
  expect(stderr).toContain(says)
}

async function expectWithinASecond<T>(look: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + 1_000
  let seen = await look()
  while (seen !== expected && performance.now() < deadline) {
    await sleep(20)
    seen = await look()
  }
  expect(seen).toEqual(expected)
}
