import { closeSync, existsSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect } from 'vitest'
import { expectFailure, test } from '../../test-support/bugle-command.ts'

test('bugle migrate creates the schema, and leaves an up-to-date one alone', async ({
  bugleWithoutDatabase: bugle,
}) => {
  const first = await bugle.json('migrate')
  expect(first).toEqual({ from: 0, to: expect.any(Number), copy: null })
  expect(await bugle.json('migrate')).toEqual({ from: first.to, to: first.to, copy: null })
})

describe.concurrent('bad usage exits 2 with one sentence and touches nothing', () => {
  test.for([
    ['nonsense', 'no matching command for "nonsense"; "bugle --help" lists all commands'],
    ['--json', 'options go after the command'],
    ['project', '"bugle project" is followed by create, list, show, update or delete'],
    ['project nonsense', 'no matching command for "project nonsense"; "bugle project" is followed by create'],
    ['issues lst', 'no matching command for "issues lst" (did you mean "issues list"?)'],
    ['isues lst', 'no matching command for "isues" (did you mean "issues list"?); "bugle --help"'],
    ['list issues', '(did you mean "issues list"?)'],
    ['revoke', '(did you mean "key revoke" or "token revoke"?)'],
    ['user create', '(did you mean "user add"?)'],
    ['issues annotate', '(did you mean "issues note"?)'],
    ['start', '(did you mean "serve"?)'],
    [
      'project create --nmae Maps',
      'unknown option \'--nmae\' (did you mean "--name"?); see "bugle project create --help"',
    ],
    ['project create --name Maps', 'needs --slug SLUG; see "bugle project create --help"'],
    ['user add', '"bugle user add" needs --email EMAIL, --name NAME and --role ROLE'],
    ['user add --name Ada', '"bugle user add" needs --email EMAIL and --role ROLE'],
    ['issues move', '"bugle issues move" needs ISSUE and STATUS'],
    ['webhook add', '"bugle webhook add" needs --project SLUG and --url URL'],
    ['key create', '"bugle key create" needs --kind KIND and --project SLUG or --all-projects'],
    ['key create --kind secret', 'needs --project SLUG or --all-projects and --scope SCOPE'],
    ['migrate now', '"bugle migrate" takes no arguments, so "now" is unexpected'],
    ['project create --name= --slug maps', '--name must have'],
    ['project create --name Maps --slug Maps!', '--slug must have'],
    ['project create --name Maps --slug maps --colour', "unknown option '--colour'"],
    ['project show', 'needs SLUG'],
    ['project show maps weather', 'takes only SLUG, so "weather" is unexpected'],
    ['project update maps', 'nothing to change'],
    ['project update maps --public --private', 'cannot be combined'],
    ['key create --project maps', 'needs --kind KIND'],
    ['key create --kind public', 'needs --project SLUG or --all-projects'],
    ['key list --project maps --all-projects', 'cannot be combined'],
    ['key create --project maps --kind golden', '--kind must be public or secret'],
    ['key create --project maps --kind secret', 'needs --scope'],
    ['key create --project maps --kind secret --scope all', 'there is no scope "all"'],
    ['key create --project maps --kind secret --scope issues:read --origin https://a.b', 'no --origin'],
    ['key create --project maps --kind public --scope issues:read', 'a public key has no scopes'],
    ['key create --project maps --kind public --origin https://a.b/page', 'is not an origin'],
    ['key create --all-projects --kind public', 'belongs to one project'],
    ['key revoke weather', '"weather" is not the id of a key'],
  ] as const)('bugle %s', async ([line, says], { bugleWithoutDatabase: bugle }) => {
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

  test('to open the database has no stack trace', async ({ bugle }) => {
    const folder = dirname(bugle.database)
    const outcome = await bugle.runWith({ BUGLE_DATABASE_URL: `sqlite:${folder}` }, 'project list')
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^bugle: .* could not be opened\. .* is a folder: set BUGLE_DATABASE_URL .*\n$/,
      ),
    })
  })

  test.for(['project list', 'project create --name Maps --slug maps', 'key list --project weather'] as const)(
    'of the database is one sentence, without a stack trace: %s',
    async (line, { bugle }) => {
      await bugle.run('project create --name Weather --slug weather')
      damage(bugle.database, 'projects')
      await expectFailure(bugle, line, 'The database reports an error: database disk image is malformed')
    },
  )

  test('of the database is a finding of the doctor', async ({ bugle }) => {
    await bugle.run('project create --name Weather --slug weather')
    damage(bugle.database, 'projects')
    const { code, stdout, stderr } = await bugle.run('doctor --quick')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^problem +database +The database reports an error: .*malformed$/m)
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
    expect(await bugle.run('help')).toEqual(overview)
  })

  test('of a command is printed by "help" too, and -v is the version', async ({ bugle }) => {
    const [help, told, version] = await Promise.all(
      ['serve --help', 'help serve', '-v'].map((line) => bugle.run(line)),
    )
    expect(told).toEqual(help)
    expect(told?.stdout).toMatch(/^ {2}BUGLE_PORT .*(\n.*)*docs\/configuration\.md/m)
    expect(version?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('of a group lists only its commands', async ({ bugle }) => {
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
  ] as const)(
    'of bugle %s lists its options and does nothing else',
    async ([command, option], { bugleWithoutDatabase: bugle }) => {
      const { code, stdout, stderr } = await bugle.run(`${command} --help`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: bugle ${command} `))
      expect(stdout).toContain(`  ${option} `)
      expect(existsSync(bugle.database)).toBe(false)
    },
  )
})

describe.concurrent('untrusted text', () => {
  const HOSTILE = 'Weather\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\u202eevil\u2028'
  const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/

  test('is escaped on the terminal', async ({ bugle }) => {
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

  test('is escaped in an error message', async ({ bugle }) => {
    for (const line of ['', 'project show', 'key revoke']) {
      const { code, stderr } = await bugle.run(line, HOSTILE)
      expect(code).toBeGreaterThan(0)
      expect(stderr).toContain('\\u{1b}')
      expect(stderr).not.toMatch(UNSAFE)
    }
  })

  test('survives --json, escaped for the terminal', async ({ bugle }) => {
    const { stdout } = await bugle.run('project create --json --slug weather --name', HOSTILE)
    expect(JSON.parse(stdout).name).toBe(HOSTILE)
    expect(stdout).not.toMatch(UNSAFE)
  })
})

/** Overwrites the root pages of a table and its indexes. */
function damage(database: string, table: string): void {
  using db = new DatabaseSync(database)
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number }
  const roots = db
    .prepare('SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0')
    .all(table)
  const file = openSync(database, 'r+')
  for (const { rootpage } of roots) {
    writeSync(file, Buffer.alloc(pageSize, 0xff), 0, pageSize, (Number(rootpage) - 1) * pageSize)
  }
  closeSync(file)
}
