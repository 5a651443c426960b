import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Outcome, runBugle, startBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** A separate project, and the command with its key. */
async function setUp() {
  const project = await app.addProject()
  const settings = { BUGLE_URL: app.url, BUGLE_KEY: project.secretKey }
  const bugle = (...args: string[]) => runBugle(['issues', ...args], settings)
  return {
    project,
    settings,
    bugle,
    json: async (...args: string[]) => {
      const { code, stdout, stderr } = await bugle(...args, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
    submit: (issue: object) => submitTo(project, issue),
  }
}

async function submitTo(project: TestProject, issue: object): Promise<{ id: string }> {
  const { body } = await app.send('POST', '/v1/issues', { key: project.publicKey, body: issue })
  return body
}

describe('bugle issues list', () => {
  it('prints a table that fits the terminal, newest first', async () => {
    const { submit, settings } = await setUp()
    await submit({ title: 'Crash at the start', category: 'crash', priority: 'critical' })
    await submit({ title: `A title that is ${'very '.repeat(20)}long` })
    const { stdout } = await runBugle(['issues', 'list'], { ...settings, COLUMNS: '80' })
    const [heading, newest = '', oldest, ...rest] = stdout.split('\n')
    expect(heading).toBe('ISSUE  STATUS  PRIORITY  CATEGORY  REPORTS  AGE  TITLE')
    expect(newest).toMatch(/^#2 {5}open {4}medium {4}bug {7}1 {8}0m {3}A title that is very very very…$/)
    expect(newest).toHaveLength(80)
    expect(oldest).toBe('#1     open    critical  crash     1        0m   Crash at the start')
    expect(rest).toEqual([''])
  })

  it('escapes a hostile title', async () => {
    const { submit, bugle } = await setUp()
    await submit({ title: 'red \u001b[31m\nand \u202egnorts' })
    const { stdout } = await bugle('list')
    expect(stdout).toContain('red \\u{1b}[31m\\u{a}and \\u{202e}gnorts')
  })

  it('escapes control characters of a title in JSON', async () => {
    const { submit, bugle } = await setUp()
    const title = 'red \u009b31m\u0085 and \u202egnorts'
    await submit({ title })
    const { stdout } = await bugle('list', '--json')
    expect(stdout).toContain('red \\u009b31m\\u0085 and \\u202egnorts')
    expect(JSON.parse(stdout)).toMatchObject([{ title }])
  })

  it('filters, and follows cursors up to the limit', async () => {
    const { submit, bugle, json } = await setUp()
    for (let number = 1; number <= 105; number++)
      await submit({
        title: `Issue ${number}`,
        category: number % 5 === 0 ? 'crash' : 'bug',
        platform: 'ios',
      })
    expect(await json('list')).toHaveLength(25)
    expect(await json('list', '--limit', '103')).toHaveLength(103)
    const crashes = await json('list', '--category', 'crash', '--platform', 'ios,web', '--sort', 'oldest')
    expect(crashes.map(({ issueNumber }: { issueNumber: number }) => issueNumber)).toEqual(
      Array.from({ length: 21 }, (_, index) => (index + 1) * 5),
    )
    expect((await bugle('list', '--limit', '3')).stdout).toMatch(
      /\n\nShowing the first 3 of 105; --limit shows more\.\n$/,
    )
    expect((await bugle('list', '--limit', '105')).stdout).not.toContain('Showing the first')
    expect((await bugle('list', '--q', 'nothing')).stdout).toBe('No matching issues.\n')
  })
})

describe('bugle issues show, move and delete', () => {
  it('take an issue through its life cycle, by number or id', async () => {
    const { submit, bugle, json } = await setUp()
    const { id } = await submit({
      title: 'Blank screen',
      description: '1. Open\n2. \u001b[2JWait',
      appVersion: '2.4.1',
      buildNumber: '512',
      metadata: { locale: 'de-CH' },
    })
    expect(await json('move', '1', 'acknowledged', '--note', 'Seen here too.')).toMatchObject({
      status: 'acknowledged',
    })
    const moved = await bugle('move', id, 'resolved', '--fixed-in', '2.4.2', '--fixed-in-build', '530')
    expect(moved).toEqual({ code: 0, stderr: '', stdout: '#1 is now resolved.\n' })

    const { stdout } = await bugle('show', '#1')
    expect(stdout).toMatch(/^#1 {2}Blank screen\n\nstatus {4}resolved \(can become open\)\n/)
    expect(stdout).toMatch(
      /release {3}2\.4\.1 \(512\)\nfixed in {2}2\.4\.2 \(530\)\nmetadata {2}locale=de-CH\n/,
    )
    expect(stdout).toContain('\n\n1. Open\n2. \\u{1b}[2JWait\n\nHistory\n')
    expect(stdout).toContain('    status: open → acknowledged\n    Seen here too.\n')
    expect(stdout).toContain('    fixedIn: nothing → 2.4.2 (530)\n')
    const shown = await json('show', id)
    expect(shown).toMatchObject({
      issue: { id, status: 'resolved' },
      history: [{ type: 'issue.created' }, {}, {}],
    })

    expectRefused(await bugle('delete', '1'), 2, 'add --yes to confirm')
    expect(await json('delete', '1', '--yes')).toEqual({ id, outcome: 'deleted' })
    expectRefused(await bugle('show', '1'), 1, 'issue #1 does not exist, or this key cannot see it')
    expectRefused(await bugle('show', id), 1, 'Not found, or not visible to you.')
  })

  it('update its fields and add notes to the history', async () => {
    const { submit, bugle, json } = await setUp()
    await submit({ title: 'Blank screen' })
    const updated = await bugle(
      'update',
      '1',
      '--priority',
      'high',
      '--title',
      'Blank settings',
      '--note',
      'Often',
    )
    expect(updated).toEqual({ code: 0, stderr: '', stdout: 'Updated the priority and title of #1.\n' })
    expect(await json('note', '#1', 'Seen on two phones')).toMatchObject({
      issueNumber: 1,
      priority: 'high',
      title: 'Blank settings',
      status: 'open',
    })
    expect((await bugle('note', '1', 'And on a tablet')).stdout).toBe('Added a note to #1.\n')
    const { stdout } = await bugle('show', '1')
    expect(stdout).toContain('    priority: medium → high\n')
    expect(stdout).toMatch(/Often\n(?:.*\n)+ {4}Seen on two phones\n(?:.*\n)+ {4}And on a tablet\n/)
  })

  it('assign it to a person by name or id, and find it by them', async () => {
    const { submit, bugle, json } = await setUp()
    await app.addUser({ name: 'Ada \u202eLovelace', email: 'ada@example.com' })
    await app.addUser({ name: 'Twin', email: 'one@example.com' })
    await app.addUser({ name: 'Twin', email: 'two@example.com' })
    const ada = await app.app.storage.users.find('ada@example.com')
    const { id } = await submit({ title: 'Blank screen' })
    await submit({ title: 'Dark screen' })
    const assigned = await bugle('update', '1', '--assignee', 'ada \u202eLOVELACE')
    expect(assigned).toEqual({ code: 0, stderr: '', stdout: 'Updated the assignee of #1.\n' })
    expect(await json('list', '--assignee', ada?.id ?? '')).toMatchObject([{ id, assigneeId: ada?.id }])
    expect(await json('list', '--assignee', 'none')).toMatchObject([{ title: 'Dark screen' }])
    const { stdout } = await bugle('show', '1')
    expect(stdout).toContain('assignee  Ada \\u{202e}Lovelace\n')
    expect(stdout).toContain('    assigneeId: nothing → Ada \\u{202e}Lovelace\n')
    expect(await json('update', '1', '--assignee', 'none')).toMatchObject({ assigneeId: null })
    expectRefused(await bugle('update', '1', '--assignee', 'Nobody'), 1, 'no one called "Nobody" has access')
    expectRefused(
      await bugle('list', '--assignee', 'twin'),
      1,
      '2 people are called "twin"; give an id: usr_',
    )
  })

  it('need the project for a number, with a key for all projects', async () => {
    const { project, submit, settings } = await setUp()
    const { id } = await submit({ title: 'Mine' })
    const everywhere = { ...settings, BUGLE_KEY: await app.addKey({}) }
    for (const words of [
      ['show'],
      ['move', 'closed'],
      ['update', '--title', 'x'],
      ['note', 'x'],
      ['delete', '--yes'],
    ]) {
      const [command = '', ...rest] = words
      expectRefused(
        await runBugle(['issues', command, '1', ...rest], everywhere),
        1,
        'this key covers several projects, so a number needs --project SLUG\n',
      )
    }
    const inProject = (number: string, slug: string) =>
      runBugle(['issues', 'show', number, '--project', slug], everywhere)
    expect((await inProject('1', project.slug)).stdout).toMatch(/^#1 {2}Mine\n/)
    expect((await inProject('#1', project.id)).stdout).toMatch(/^#1 {2}Mine\n/)
    expect((await runBugle(['issues', 'show', id], everywhere)).stdout).toMatch(/^#1 {2}Mine\n/)
    expectRefused(
      await inProject('2', project.slug),
      1,
      `issue #2 does not exist in the project "${project.slug}", or this key cannot see it`,
    )
    expectRefused(await inProject('1', 'nowhere'), 1, 'issue #1 does not exist in the project "nowhere"')
  })
})

describe('bugle issues tail', () => {
  it('prints each new issue once, and stops cleanly with Ctrl+C', async () => {
    const { submit, settings } = await setUp()
    await submit({ title: 'Old news' })
    const machine = startBugle(['issues', 'tail', '--interval-seconds', '0.1', '--json'], settings)
    const person = startBugle(['issues', 'tail', '--interval-seconds', '0.1'], settings)
    onTestFinished(() => void [machine, person].map((child) => child.kill('SIGKILL')))
    const exits = [once(machine, 'exit'), once(person, 'exit')]
    let sent = 0
    const sending = setInterval(() => submit({ title: `News ${++sent}` }), 50)
    const issues = (await firstLines(machine.stdout, 5)).map((line) => JSON.parse(line))
    const [line] = await firstLines(person.stdout, 1)
    clearInterval(sending)

    const numbers = issues.map(({ issueNumber }) => issueNumber)
    expect(numbers).toEqual(Array.from({ length: 5 }, (_, index) => numbers[0] + index))
    expect(numbers[0]).toBeGreaterThan(1)
    expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}#\d+ +medium +bug +News \d+$/)

    machine.kill('SIGINT')
    person.kill('SIGINT')
    for (const [code] of await Promise.all(exits)) expect(code).toBe(0)
  })
})

async function firstLines(stream: Readable, count: number): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of createInterface(stream)) if (lines.push(line) === count) break
  return lines
}

describe('bugle issues, refused', () => {
  it.each<[args: string[], sentence: string]>([
    [['list', '--status', 'lost'], '--status must be one of open, acknowledged'],
    [['list', '--sort', 'size'], '--sort must be one of newest'],
    [['list', '--limit', '0'], '--limit must be a number, 1 or more'],
    [['show', '..'], '".." is not an issue; give its id'],
    [['move', '1', 'done'], 'STATUS must be one of open'],
    [['move', '1', 'resolved', '--fixed-in-build', '3'], '--fixed-in-build needs --fixed-in'],
    [
      ['update', '1'],
      'nothing to change: give --priority, --category, --assignee, --add-label, --remove-label, --title or --description',
    ],
    [['update', '1', '--priority', 'urgent'], '--priority must be one of low, medium, high, critical'],
    [['note', '1', ' '], 'NOTE must not be empty'],
    [['note', '1'], '"bugle issues note" needs NOTE'],
    [['tail', '--interval-seconds', 'x'], '--interval-seconds must be a number'],
  ])('%j is bad usage', async (args, sentence) => {
    const { bugle } = await setUp()
    expectRefused(await bugle(...args), 2, sentence)
  })

  it('prints the error of the API, each fault on its own line', async () => {
    const { submit, bugle } = await setUp()
    await submit({ title: 'One' })
    expectRefused(
      await bugle('move', '1', 'closed', '--note', 'x'.repeat(5_000)),
      1,
      /^bugle: .+\n {2}note .+\n$/,
    )
    await bugle('move', '1', 'closed')
    expectRefused(await bugle('move', '1', 'resolved'), 1, 'it can change to open')
  })

  it('explains how to reach a server', async () => {
    const { settings } = await setUp()
    const { BUGLE_KEY, BUGLE_URL } = settings
    expectRefused(await runBugle(['issues', 'list'], { BUGLE_URL }), 1, 'BUGLE_KEY is not set')
    const nobody = { BUGLE_KEY, BUGLE_URL: 'http://127.0.0.1:9' }
    expectRefused(await runBugle(['issues', 'list'], nobody), 1, 'http://127.0.0.1:9 cannot be reached')
    const nonsense = { BUGLE_KEY, BUGLE_URL: 'bugle' }
    expectRefused(await runBugle(['issues', 'list'], nonsense), 1, 'BUGLE_URL must be an http or https URL')
    const { stdout } = await runBugle(['issues', 'list', '--help'], {})
    expect(stdout).toMatch(/\nEnvironment:\n {2}BUGLE_URL .+\n {2}BUGLE_KEY .+\n$/)
  })
})

function expectRefused({ code, stdout, stderr }: Outcome, expected: 1 | 2, words: string | RegExp): void {
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
  expect(stderr).toMatch(words)
}

describe('bugle issues reports', () => {
  it('shows what was thrown with its causes and source lines, and nothing of it controls the terminal', async () => {
    const { submit, bugle, json } = await setUp()
    const frame = { function: 'pay', file: 'cart.js', line: 3, column: 5, inApp: true }
    const context = { before: [], line: '    return \u001b[2Jtotal', after: [] }
    await submit({
      title: 'Cannot pay',
      description: 'When I press Pay.',
      category: 'crash',
      exception: [
        {
          type: 'TypeError',
          value: 'no \u001b]0;total\u0007',
          frames: [
            { ...frame, context },
            { function: 'emit\u001b[31m', file: 'node:events', line: 1, inApp: false },
          ],
        },
        { type: 'RangeError', value: 'first line\nsecond line', frames: [frame] },
      ],
    })
    const { stdout } = await bugle('reports', '1')
    expect(stdout.split('\n').slice(1)).toEqual([
      'Cannot pay',
      'When I press Pay.',
      'TypeError: no \\u{1b}]0;total\\u{7}',
      '    at pay (cart.js:3:5)',
      '        return \\u{1b}[2Jtotal',
      '    at emit\\u{1b}[31m (node:events:1)',
      'Caused by: RangeError: first line',
      'second line',
      '    at pay (cart.js:3:5)',
      '',
    ])
    const [report] = await json('reports', '1')
    expect(report.exception).toMatchObject([{ type: 'TypeError' }, { type: 'RangeError' }])
    expect((await bugle('show', '1')).stdout).toContain('\n    at emit\\u{1b}[31m (node:events:1)\n')
  })

  it('shows the text of each report, and deletes and redacts one', async () => {
    const { submit, bugle, json } = await setUp()
    const { id } = await submit({ title: 'Blank', fingerprint: 'f', description: 'Nothing \u001b[31m there' })
    await submit({ title: 'Blank', fingerprint: 'f', description: 'Nothing \u001b[31m there' })
    await submit({
      title: 'White',
      fingerprint: 'f',
      description: 'a page',
      appVersion: '2.0',
      platform: 'ios',
    })
    const { stdout } = await bugle('reports', '1')
    expect(stdout).toMatch(/^Report 3 .* · 2\.0 · ios\nWhite\na page\n\nReport 2 /)
    expect(stdout).toContain('Nothing \\u{1b}[31m there')
    const distinct = await json('reports', id, '--distinct')
    expect(distinct.map((report: { reportNumber: number }) => report.reportNumber)).toEqual([3, 1])
    expect(await json('reports', '1', '--limit', '1')).toHaveLength(1)

    expect(await bugle('redact-report', '1', '3')).toMatchObject({ code: 2 })
    expect(await json('redact-report', '1', '3', '--yes')).toMatchObject({ textOmittedReason: 'redacted' })
    expect((await bugle('reports', '1')).stdout).toContain('The text was redacted.')
    expect(await json('delete-report', '1', distinct[0].id, '--yes')).toMatchObject({ outcome: 'deleted' })
    expect(await json('reports', '1')).toHaveLength(2)
    expect(await bugle('delete-report', '1', '1', '--yes')).toMatchObject({ code: 1 })
    expect((await bugle('delete-report', '1', '3', '--yes')).stderr).toContain(
      'report 3 of the issue does not exist',
    )
  })
})
