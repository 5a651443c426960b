import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { exportText, forge, importText, linesOf } from '../../test-support/transfer-files.ts'
import { addProject } from '../../test-support/transfer-projects.ts'
import { tellTransferStory } from '../../test-support/transfer-story.ts'
import { mintLink } from '../domain/people/one-time-links.ts'
import { mintUnshardedId } from '../model/ids.ts'
import type { LineKind, LineOf, TransferLine } from '../model/transfer/lines.ts'
import { openSqliteInline } from '../storage/sqlite/sqlite-storage.ts'
import { type Storage, StorageUnavailable } from '../storage/storage.ts'
import type { TransferStorage } from '../storage/transfer.ts'
import { FileRefused } from './file-refused.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'export.ndjson')
let target: Storage
let empty: string
let text: string

beforeAll(async () => {
  const source = openSqliteInline(':memory:')
  await tellTransferStory(source)
  text = await exportText(source)
  await source.close()
  target = openSqliteInline(join(folder.path, 'bugle.db'))
  empty = await exportText(target)
})
afterAll(async () => {
  await target.close()
  folder[Symbol.dispose]()
})

/** Changes the first line of a kind, with a valid checksum. */
function forgeFirst(kind: LineKind, change: object): string {
  const first = linesOf(text).find(({ record }) => record === kind)
  return forge(text, (line) =>
    JSON.stringify(line) === JSON.stringify(first) ? { ...line, ...change } : line,
  )
}

function swapKinds(one: LineKind, other: LineKind): string {
  const kinds: readonly LineKind[] = [one, other]
  const moved = linesOf(text).filter(({ record }) => kinds.includes(record))
  return forge(text, (line) => (kinds.includes(line.record) ? (moved.pop() as TransferLine) : line))
}

function omit<T extends object>(value: T, member: keyof T): object {
  const { [member]: _, ...rest } = value
  return rest
}

function addUp(one: LineOf<'seenValue'>, other: LineOf<'seenValue'>): LineOf<'seenValue'> {
  return {
    ...one,
    reports: one.reports + other.reports,
    newIssues: one.newIssues + other.newIssues,
    fixedIssues: one.fixedIssues + other.fixedIssues,
    regressions: one.regressions + other.regressions,
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
  }
}

const cutLines = (count: number) => `${text.split('\n').slice(0, count).join('\n')}\n`
const lineOf = (kind: LineKind) => linesOf(text).findIndex(({ record }) => record === kind) + 2

describe('a file is refused before anything is stored', () => {
  it.each<readonly [what: string, content: () => string | Buffer, message: RegExp]>([
    ['is empty', () => '', /^this is not a Bugle export/],
    ['is something else', () => '{"name":"x"}\n', /^line 1: this is not a Bugle export/],
    ['is not JSON', () => 'PK\u0003\u0004\n', /^line 1: this is not a Bugle export/],
    [
      'is of a later format',
      () => text.replace('"version":2', '"version":3').replace('"release":"0.1.0"', '"release":"9.0.0"'),
      /^line 1: the file has format 3, of release 9\.0\.0; this release reads format 2\. Import it with release 9\.0\.0/,
    ],
    ['ends in the middle of a line', () => text.slice(0, text.length / 2), /^the file is incomplete/],
    ['ends before its trailer', () => cutLines(40), /^the file is incomplete/],
    ['has a changed letter', () => text.replace('Token in', 'Taken in'), /^the checksum .* altered/],
    [
      'has lost a line',
      () => text.split('\n').toSpliced(lineOf('event'), 1).join('\n'),
      /^the file has \d+ lines of the kind "event", but its last line says \d+/,
    ],
    ['continues after its trailer', () => text + text, /^line [\d,]+: there is data after the last line/],
    [
      'is not UTF-8',
      () => Buffer.concat([Buffer.from(cutLines(1)), Buffer.from([0xff, 10])]),
      /^line 2: it is not JSON in UTF-8/,
    ],
    ['has an endless line', () => cutLines(1) + 'x'.repeat(6_000_000), /^line 2: it is too long/],
    [
      'has lines of an unknown kind',
      () => forgeFirst('view', { record: 'sign-in' }),
      /^line [\d,]+: .* not a Bugle export/,
    ],
    [
      'has kinds in another order',
      () => swapKinds('issue', 'event'),
      /^line [\d,]+: "issue" is not allowed after "event"/,
    ],
    [
      'has a member too many',
      () => forgeFirst('issue', { assignee: 'ada' }),
      /^line [\d,]+: it must NOT have additional properties/,
    ],
    [
      'has a member too few',
      () => forgeFirst('issue', { title: undefined }),
      /^line [\d,]+: it must have required property 'title'/,
    ],
    [
      'has a title that is too long',
      () => forgeFirst('issue', { title: 'x'.repeat(257) }),
      /^line [\d,]+: title must NOT have more than 256/,
    ],
    [
      "has a number that is another project's row",
      () => forgeFirst('issue', { number: 2 ** 32 + 1 }),
      /^line [\d,]+: number must be <= /,
    ],
    [
      "has a position that is another project's row",
      () => forgeFirst('event', { position: 2 ** 32 }),
      /^line [\d,]+: position must be <= /,
    ],
    ['has a NUL', () => forgeFirst('issue', { title: 'a\0b' }), /^line [\d,]+: title must match pattern/],
    [
      'has half a character',
      () => forgeFirst('issue', { description: '\ud83d' }),
      /^line [\d,]+: description must match pattern/,
    ],
    [
      'has a link that is a script',
      () => forgeFirst('project', { websiteUrl: 'javascript:alert(1)' }),
      /^line [\d,]+: websiteUrl must match pattern/,
    ],
    [
      'has an id of another kind',
      () => forgeFirst('webhook', { id: 'iss_01m7efq360hte8g6a6t8v0wz54' }),
      /^line [\d,]+: id must match format "whk-id"/,
    ],
    [
      'has metadata that is deep',
      () => forgeFirst('issue', { metadata: { a: { b: 1 } } }),
      /^line [\d,]+: metadata\/a must be/,
    ],
    ...[
      '$argon2id$v=19$m=65537,t=2,p=1$',
      '$argon2id$v=19$m=4194304,t=2,p=1$',
      '$argon2id$v=19$m=19456,t=11,p=1$',
      '$argon2id$v=19$m=19456,t=2,p=5$',
      '$argon2id$v=19$m=19456,t=0,p=1$',
      '$argon2id$v=19$m=7,t=2,p=1$',
      '$argon2i$v=19$m=19456,t=2,p=1$',
    ].map((cost): [string, () => string, RegExp] => [
      `has a password hash like ${cost}`,
      () => forgeFirst('user', { passwordHash: `${cost}${'a'.repeat(22)}$${'a'.repeat(43)}` }),
      /^line [\d,]+: passwordHash must match format "password-hash"/,
    ]),
    [
      'has a password hash that is too short to compare',
      () => forgeFirst('user', { passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' }),
      /^line [\d,]+: passwordHash must match format "password-hash"/,
    ],
  ])('that %s', async (_, content, message) => {
    const refusal = await importText(target, file, content()).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(FileRefused)
    expect((refusal as Error).message).toMatch(message)
    expect(await exportText(target)).toBe(empty)
  })
})

describe('an import', () => {
  let storage: Storage
  let path: string

  beforeEach(() => {
    path = join(folder.path, `${Math.random()}.db`)
    storage = openSqliteInline(path)
  })
  afterEach(() => storage.close())

  it('adds to existing data, including security issues', async () => {
    await addProject(storage, 'older')
    await importText(storage, file, text)
    const [older, ...added] = linesOf(await exportText(storage))
    expect(older).toMatchObject({ record: 'project', slug: 'older' })
    expect(added).toEqual(linesOf(text))
    expect(added.filter((line) => line.record === 'issue' && line.category === 'security')).not.toEqual([])
  })

  it('accepts a file of 0.1.0, which has no unconfirmed regressions', async () => {
    const old = forge(text.replace('"version":2', '"version":1'), (line) => {
      if (line.record === 'issue') return omit(line, 'unconfirmedVersion')
      if (line.record === 'event' && line.details !== null)
        return { ...line, details: omit(line.details, 'confirmed') }
      return line
    })
    expect(old).not.toContain('onfirmed')
    await importText(storage, file, old)
    expect(await exportText(storage)).toBe(text)
  })

  it('counts versions and branches of a file of an earlier release from its issues and reports', async () => {
    const addedLater = ['seenValue', 'issueLabel', 'issueReporter', 'comment', 'readMark', 'blockedReporter']
    const added = ({ record }: TransferLine) => record === 'seenValue' || record === 'reportSource'
    const old = forge(
      text,
      (line) => {
        if (line.record === 'issue')
          return omit(omit(line, 'lastSeenVersion') as typeof line, 'lastSeenBuild')
        if (line.record !== 'reportSource') return line
        const { issueNumber, day, count } = line
        return { record: 'reportDay', issueNumber, day, count }
      },
      ({ record }) => !addedLater.includes(record),
    )
    expect(old).not.toContain('lastSeen')
    expect(linesOf(old).some(({ record }) => record === 'reportDay')).toBe(true)
    await importText(storage, file, old)
    const lines = (of: string) => linesOf(of).filter(added)
    expect(lines(text).length).toBeGreaterThan(5)
    expect(lines(await exportText(storage))).toEqual(lines(text))
  })

  it('counts builds with their versions if the file has separate lines for them', async () => {
    const isSeen = (line: TransferLine) => line.record === 'seenValue'
    const seen = linesOf(text).filter((line) => line.record === 'seenValue')
    const builds = seen.flatMap((line) =>
      line.buildNumber
        ? [
            {
              ...omit(line, 'buildNumber'),
              dimension: 'build',
              value: JSON.stringify([line.value, line.buildNumber]),
            },
          ]
        : [],
    )
    const wholes = Map.groupBy(seen, ({ lane, dimension, value }) => `${lane} ${dimension} ${value}`)
    const sums = wholes.values().map((lines) => lines.reduce(addUp))
    const earlier = [...builds, ...sums.map((line) => omit(line, 'buildNumber'))]
    expect(builds.length).toBeGreaterThan(3)
    const old = forge(text, (line) => (isSeen(line) ? earlier.splice(0) : line))
    await importText(storage, file, old)
    expect(linesOf(await exportText(storage)).filter(isSeen)).toEqual(seen)
  })

  it('publishes no issue that is hidden or spam, whatever the file says', async () => {
    const published = forge(text, (line) =>
      line.record === 'issue' ? { ...line, knownTitle: 'Known', knownText: 'To all' } : line,
    )
    await importText(storage, file, published)
    const issues = linesOf(await exportText(storage)).filter((line) => line.record === 'issue')
    const isHidden = ({ category, spamAt }: (typeof issues)[number]) =>
      category === 'security' || typeof spamAt === 'number'
    expect(issues.filter(isHidden).length).toBeGreaterThan(1)
    for (const issue of issues) {
      const known = isHidden(issue) ? [null, null] : ['Known', 'To all']
      expect([issue.knownTitle, issue.knownText]).toEqual(known)
    }
  })

  it('keeps unconfirmed regressions', async () => {
    const [issue] = linesOf(text).filter(({ record }) => record === 'issue')
    const details = {
      changes: [],
      note: null,
      reason: 'It came back.',
      deletedIssueId: null,
      confirmed: false,
    }
    const [event] = linesOf(text).filter((line) => line.record === 'event' && line.details !== null)
    const waiting = forge(text, (line) => {
      if (JSON.stringify(line) === JSON.stringify(issue)) return { ...line, unconfirmedVersion: '9.9' }
      return JSON.stringify(line) === JSON.stringify(event)
        ? { ...line, type: 'issue.regressed', details }
        : line
    })
    await importText(storage, file, waiting)
    expect(await exportText(storage)).toBe(waiting)
  })

  it('lists the added people and keys for all projects, and invalidates the setup link', async () => {
    const { link } = mintLink(null, Date.now())
    await storage.users.createLink(link)
    const costly = `$argon2id$v=19$m=65536,t=10,p=4$${'a'.repeat(22)}$${'a'.repeat(43)}`
    const { people, instanceKeys } = await importText(
      storage,
      file,
      forgeFirst('user', { passwordHash: costly }),
    )
    expect(people).toEqual([
      { email: 'ada@example.com', name: 'Ada', role: 'admin', canSeeSecurity: true },
      { email: 'bob@example.com', name: 'Bob 👷', role: 'viewer', canSeeSecurity: false },
    ])
    expect(instanceKeys).toEqual([
      { name: null, ending: expect.stringMatching(/^\w{4}$/), scopes: ['issues:read'], isRevoked: false },
    ])
    expect(await storage.users.findLink(link.hash)).toBeUndefined()
  })

  it('refuses a project that already exists, and changes nothing', async () => {
    await importText(storage, file, text)
    await expect(importText(storage, file, text)).rejects.toThrow(
      /^line 2: the database already has a project "weather"/,
    )
    expect(await exportText(storage)).toBe(text)
  })

  it('refuses a person who already exists, and changes nothing', async () => {
    const ada = linesOf(text).find((line) => line.record === 'user')
    if (ada === undefined) throw new Error('nobody is in the story')
    await storage.users.create({ ...ada, id: mintUnshardedId('usr', ada.createdAt), projectIds: null })
    const before = await exportText(storage)
    await expect(importText(storage, file, text)).rejects.toThrow(
      /the database already has a person ada@example.com/,
    )
    expect(await exportText(storage)).toBe(before)
  })

  it('continues where it was interrupted, and stores nothing twice', async () => {
    await expect(importText(failingAfter(storage, 2), file, text)).rejects.toThrow(
      /^lines 502 to 751 could not be stored\. The disk is full\. Fix that and import the file again/,
    )
    await storage.close()
    storage = openSqliteInline(path)
    expect(await storage.projects.list(null, 10)).toEqual([])
    expect(await importText(storage, file, text)).toMatchObject({ resumedAfter: 501 })
    expect(await exportText(storage)).toBe(text)
  })

  it('of another file is refused until the unfinished one is finished or discarded', async () => {
    await expect(importText(failingAfter(storage, 2), file, text)).rejects.toThrow(FileRefused)
    const other = forgeFirst('issue', { title: 'Another title' })
    await expect(importText(storage, file, other)).rejects.toThrow(
      /unfinished import of another file.* --restart/,
    )
    expect(await importText(storage, file, other, { isRestart: true })).toMatchObject({ resumedAfter: 0 })
    expect(await exportText(storage)).toBe(other)
  })

  it('refuses a file that changes while it is being read', async () => {
    const other = forgeFirst('issue', { title: 'Another title' })
    const beginImport: TransferStorage['beginImport'] = (digest) => {
      writeFileSync(file, other)
      return storage.transfer.beginImport(digest)
    }
    const surprised = { ...storage, transfer: { ...storage.transfer, beginImport } }
    await expect(importText(surprised, file, text)).rejects.toThrow(/it changed while it was being read/)
    expect(await storage.projects.list(null, 10)).toEqual([])
  })
})

/** A storage on a disk that is full after a number of batches. */
function failingAfter(storage: Storage, batches: number): Storage {
  let left = batches
  const storeLines: TransferStorage['storeLines'] = (batch) =>
    left-- > 0
      ? storage.transfer.storeLines(batch)
      : Promise.reject(new StorageUnavailable('The disk is full.'))
  return { ...storage, transfer: { ...storage.transfer, storeLines } }
}
