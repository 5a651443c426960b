import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test as base, describe, expect } from 'vitest'
import { TIME } from '../../../test-support/bugle-command.ts'
import { createCaller } from '../../../test-support/call-api.ts'
import { runBugle, startBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { makeFirstLink } from '../../domain/people/one-time-links.ts'
import { openStorageForCommand } from '../../storage/open-storage.ts'

const PASSWORD = 'correct horse battery'

/** Every test runs the real command on its own database. */
const test = base.extend<{ bugle: ReturnType<typeof createBugle> }>({
  bugle: async ({ task: _ }, use) => {
    using folder = temporaryFolder()
    const url = `sqlite:${join(folder.path, 'bugle.db')}`
    await (await openStorageForCommand(url)).close()
    await use(createBugle(url))
  },
})

function createBugle(url: string) {
  const settings = { BUGLE_DATABASE_URL: url, BUGLE_PUBLIC_URL: 'https://bugle.example' }
  const run = (line: string) => runBugle(line.split(' '), settings)
  return {
    url,
    run,
    async json(line: string) {
      const { code, stdout, stderr } = await run(`${line} --json`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
  }
}

const tokenIn = (link: string) => new URL(link).hash.replace('#link=', '')

describe.concurrent('bugle user', () => {
  test('add creates a person and their link, list shows them without it', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const { stdout } = await bugle.run(
      'user add --email Ada@Example.com --name Ada --role triager --security --project weather',
    )
    expect(stdout).toMatch(/^id +usr_[0-9a-z]{26}\nemail +ada@example.com\n(?:.*\n)*projects +weather\n/)
    const link = /https:\/\/bugle\.example\/sign-in#link=[\w-]{43}\n/.exec(stdout)?.[0] ?? ''
    const [ada] = await bugle.json('user list')
    expect(ada).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'ada@example.com',
      name: 'Ada',
      role: 'triager',
      canSeeSecurity: true,
      projectIds: [expect.stringMatching(/^prj_/)],
      hasPassword: false,
      createdAt: expect.any(String),
    })
    const listed = await bugle.run('user list')
    expect(listed.stdout).toMatch(/^EMAIL .*\nada@example\.com +Ada +triager +yes +weather +invited\n$/)
    expect(listed.stdout).not.toContain(tokenIn(link.trim()))
  })

  test('add warns while there is no admin, and reports when the setup link becomes invalid', async ({
    bugle,
  }) => {
    const add = (name: string, role: string) =>
      `user add --email ${name}@example.com --name ${name} --role ${role}`
    const { stdout } = await bugle.run(add('ada', 'viewer'))
    expect(stdout).toMatch(
      /\n\nThere is no admin yet, so the setup link that the server printed still works\. .*bugle user add --role admin .*\n$/,
    )
    expect(await bugle.json(add('bob', 'triager'))).toMatchObject({
      note: expect.stringMatching(/^There is no/),
    })
    expect(await bugle.json(add('eve', 'admin'))).toMatchObject({
      note: expect.stringMatching(/^The setup link that the server printed no longer works/),
    })
    expect(await bugle.json(add('joe', 'viewer'))).toMatchObject({ note: null })
  })

  test('update changes only the given fields', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const {
      link: _,
      linkExpiresAt: __,
      note: ___,
      ...ada
    } = await bugle.json('user add --email ada@example.com --name Ada --role viewer')
    expect(ada).toMatchObject({ canSeeSecurity: false, projectIds: null })
    const limited = await bugle.json('user update ada@example.com --role admin --project weather')
    expect(limited).toEqual({ ...ada, role: 'admin', projectIds: [expect.stringMatching(/^prj_/)] })
    const moved = await bugle.json(`user update ${ada.id} --email new@example.com --security --all-projects`)
    expect(moved).toEqual({ ...ada, role: 'admin', email: 'new@example.com', canSeeSecurity: true })
    await bugle.json('user add --email bob@example.com --name Bob --role viewer --security')
    expect(await bugle.json('user update new@example.com --no-security')).toMatchObject({
      canSeeSecurity: false,
    })
    expect(await bugle.json('user list')).toMatchObject([
      { email: 'new@example.com', projectIds: null },
      { email: 'bob@example.com' },
    ])
  })

  test('remove and update keep the last admin, and explain what to do', async ({ bugle }) => {
    await bugle.json('user add --email ada@example.com --name Ada --role admin')
    await bugle.json('user add --email bob@example.com --name Bob --role viewer')
    for (const line of ['user remove ada@example.com', 'user update ada@example.com --role viewer']) {
      expect(await bugle.run(line)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'bugle: ada@example.com is the only admin. Make another person an admin first: bugle user update EMAIL --role admin\n',
      })
    }
    await bugle.json('user update bob@example.com --role admin')
    expect((await bugle.run('user remove ada@example.com')).code).toBe(0)
  })

  test('remove and update keep the last person who sees security issues', async ({ bugle }) => {
    await bugle.json('user add --email root@example.com --name Root --role admin')
    await bugle.json('user add --email ada@example.com --name Ada --role viewer --security')
    for (const line of ['user remove ada@example.com', 'user update ada@example.com --no-security']) {
      expect(await bugle.run(line)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'bugle: ada@example.com is the only person who sees security issues. Give another person access to security issues first: bugle user update EMAIL --security\n',
      })
    }
    await bugle.json('user update root@example.com --security')
    expect((await bugle.run('user remove ada@example.com')).code).toBe(0)
  })

  test('reports errors, and changes nothing', async ({ bugle }) => {
    await bugle.json('user add --email ada@example.com --name Ada --role viewer')
    const cases = [
      ['user add --email ada --name Ada --role viewer', 2, '"ada" is not an email address'],
      [
        'user add --email b@example.com --name Bob --role boss',
        2,
        '--role must be one of viewer, triager, admin',
      ],
      ['user add --email b@example.com --role viewer', 2, 'needs --name'],
      [
        'user add --email ADA@example.com --name Ada --role viewer',
        1,
        'another user already has the email address',
      ],
      ['user add --email b@example.com --name B --role viewer --project x', 1, 'there is no project "x"'],
      ['user update ada@example.com', 2, 'nothing to change'],
      [
        'user update ada@example.com --security --no-security',
        2,
        '--security and --no-security cannot be combined',
      ],
      ['user update nobody@example.com --name X', 1, 'no user has the email address "nobody@example.com"'],
      ['user link nobody@example.com', 1, 'no user has the email address'],
      ['user remove nobody@example.com', 1, 'no user has the email address'],
    ] as const
    for (const [line, code, says] of cases) {
      const outcome = await bugle.run(line)
      expect([line, outcome.code, outcome.stdout]).toEqual([line, code, ''])
      expect(outcome.stderr).toContain(says)
    }
    expect(await bugle.json('user list')).toMatchObject([{ email: 'ada@example.com', role: 'viewer' }])
  })
})

test('a running server accepts new people and links at once, and refuses removed people', async ({
  bugle,
}) => {
  await using app = await startApp({ databaseUrl: bugle.url })
  const accept = (token: string) =>
    app.send('POST', '/session/link/accept', { body: { token, password: PASSWORD } })
  const first = await makeFirstLink(app.app.storage, Date.now())
  const { link: earlier } = await bugle.json('user add --email ada@example.com --name Ada --role viewer')
  const nobody = { token: first, password: PASSWORD, email: 'eve@example.com', name: 'Eve' }
  const taken = { ...nobody, email: 'ada@example.com' }
  expect((await app.send('POST', '/session/link/accept', { body: taken })).status).toBe(422)
  expect((await app.send('POST', '/session/link/accept', { body: nobody })).status).toBe(200)
  const { link } = await bugle.json('user link ada@example.com')
  expect((await accept(tokenIn(earlier))).status).toBe(404)
  const accepted = await accept(tokenIn(link))
  const key = accepted.headers.get('set-cookie')?.split(';')[0] ?? ''
  const status = async () => (await app.send('GET', '/session', { key })).status
  expect(await status()).toBe(200)
  expect(await bugle.json('user list')).toMatchObject([{ hasPassword: true }, { hasPassword: true }])
  await bugle.json('user remove ada@example.com')
  await expect.poll(status, { interval: 50 }).toBe(401)
})

test('the first start prints the setup link, and no secret is logged', async ({ bugle }) => {
  const settings = { BUGLE_DATABASE_URL: bugle.url, BUGLE_PORT: '0', BUGLE_LOG_LEVEL: 'trace' }
  const child = startBugle(['serve', '--json'], settings)
  const log = text(child.stderr)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, demo, signInLink } = JSON.parse(line)
  expect(demo.project.createdAt).toMatch(TIME)
  expect(signInLink).toMatch(new RegExp(`^${url}/sign-in#link=[\\w-]{43}$`))
  const send = createCaller(url)
  const token = tokenIn(signInLink)
  const person = { email: 'ada@example.com', name: 'Ada', password: PASSWORD }

  await send('POST', '/session/link', { body: { token } })
  const { headers, text: answered } = await send('POST', '/session/link/accept', {
    body: { token, ...person },
  })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const refusals = [
    await send('POST', '/session', { body: { email: person.email, password: `${PASSWORD}!` } }),
    await send('POST', '/session', { body: `{"email":"a@b","password":"${PASSWORD}"` }),
    await send('POST', '/session', { body: { email: person.email, password: [PASSWORD] } }),
    await send('POST', '/session/link/accept', { body: { token, ...person } }),
    await send('POST', '/session/password', {
      key: cookie,
      body: { currentPassword: PASSWORD, newPassword: 'x' },
    }),
    await send('GET', '/v1/issues/nothing', { key: cookie }),
  ]
  child.kill('SIGTERM')
  await once(child, 'close')

  const secrets = [token, PASSWORD, cookie.split('=')[1] ?? '', '$argon2']
  const said = [await log, answered, ...refusals.map(({ text: refusal }) => refusal)]
  for (const secret of secrets) expect(said.filter((one) => one.includes(secret))).toEqual([])
  expect(await log).toContain('/session/link/accept')
  const [ada] = await bugle.json('user list')
  expect(ada).toMatchObject({ email: 'ada@example.com', role: 'admin', canSeeSecurity: true })
})
