import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const { submit, issueCount } = setIssueStage()

describe('a bad submission names every fault, and stores nothing', () => {
  const title = 'x'
  it.each<[string, unknown, [pointer: string, code: string][]]>([
    ['missing title', {}, [['#/title', 'required']]],
    ['empty title', { title: '' }, [['#/title', 'too-short']]],
    ['blank title', { title: ' \n\t\u00a0' }, [['#/title', 'blank']]],
    ['257 characters', { title: 'x'.repeat(257) }, [['#/title', 'too-long']]],
    [
      'wrong types',
      { title: 5, description: {}, appVersion: 2.4, sdk: 'me' },
      [
        ['#/title', 'type'],
        ['#/description', 'type'],
        ['#/appVersion', 'type'],
        ['#/sdk', 'type'],
      ],
    ],
    [
      'unknown member',
      { titel: 'x' },
      [
        ['#/title', 'required'],
        ['#/titel', 'unknown'],
      ],
    ],
    ['unknown category', { title, category: 'oops' }, [['#/category', 'choice']]],
    ['unknown priority', { title, priority: 'urgent' }, [['#/priority', 'choice']]],
    [
      'members of the server',
      { title, id: 'x', status: 'closed', issueNumber: 1 },
      [
        ['#/id', 'server-owned'],
        ['#/status', 'server-owned'],
        ['#/issueNumber', 'server-owned'],
      ],
    ],
    [
      'NUL',
      { title: 'a\0b', branch: '\0' },
      [
        ['#/title', 'nul'],
        ['#/branch', 'nul'],
      ],
    ],
    [
      'NUL in metadata',
      { title, metadata: { a: '\0', 'b\0': 1 } },
      [
        ['#/metadata/b\0', 'name'],
        ['#/metadata/a', 'nul'],
      ],
    ],
    [
      'nested metadata',
      { title, metadata: { a: { b: 1 }, c: null, d: [1] } },
      [
        ['#/metadata/a', 'type'],
        ['#/metadata/c', 'type'],
        ['#/metadata/d', 'type'],
      ],
    ],
    [
      'too much metadata',
      { title, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1])) },
      [['#/metadata', 'too-many']],
    ],
    [
      'long metadata',
      { title, metadata: { ['k'.repeat(65)]: 1, a: 'x'.repeat(1_025) } },
      [
        [`#/metadata/${'k'.repeat(64)}…`, 'name'],
        ['#/metadata/a', 'too-long'],
      ],
    ],
    ['platform', { title, platform: 'my phone' }, [['#/platform', 'pattern']]],
    ['submission id', { title, submissionId: 'with space' }, [['#/submissionId', 'pattern']]],
    ['a day that is none', { title, occurredAt: '2026-02-30T00:00:00Z' }, [['#/occurredAt', 'format']]],
    ['a time without offset', { title, occurredAt: '2026-02-03T00:00:00' }, [['#/occurredAt', 'format']]],
    ['a year before 1970', { title, occurredAt: '1969-12-31T23:59:59.999Z' }, [['#/occurredAt', 'format']]],
    ['the year 0 in UTC', { title, occurredAt: '0000-01-01T00:00:00+14:00' }, [['#/occurredAt', 'format']]],
    ['1969 in UTC', { title, occurredAt: '1970-01-01T00:00:00+00:01' }, [['#/occurredAt', 'format']]],
    ['10000 in UTC', { title, occurredAt: '9999-12-31T23:59:59.999-00:01' }, [['#/occurredAt', 'format']]],
    ['half an sdk', { title, sdk: { name: 'x' } }, [['#/sdk/version', 'required']]],
    ['an array', [], [['#', 'type']]],
    ['a text', '"title"', [['#', 'type']]],
    ['null', 'null', [['#', 'type']]],
    ['__proto__', '{"title":"x","__proto__":{"isAdmin":true}}', [['#/__proto__', 'unknown']]],
    [
      '__proto__ in metadata',
      '{"title":"x","metadata":{"__proto__":"x"}}',
      [['#/metadata/__proto__', 'name']],
    ],
    ['nesting', `{"title":"x","description":${'['.repeat(9)}${']'.repeat(9)}}`, [['#/description', 'type']]],
    ['publicKey in JSON', { title, publicKey: 'bgl_pub_x' }, [['#/publicKey', 'unknown']]],
  ])('%s', async (_, body, faults) => {
    const before = await issueCount()
    const answer = await submit(body)
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('validation-failed')
    const found = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ])
    expect(found.sort()).toEqual([...faults].sort())
    expect(await issueCount()).toBe(before)
  })

  it('suggests the nearest name', async () => {
    for (const [wrong, right] of [
      ['titel', 'title'],
      ['app_version', 'appVersion'],
      ['Descripton', 'description'],
    ]) {
      const { body } = await submit({ title, [wrong as string]: 'x' })
      expect(body.errors[0].detail).toContain(`Did you mean ${right}?`)
    }
    expect((await submit({ title, zzzzzz: 1 })).body.errors[0].detail).not.toContain('Did you mean')
  })

  it.each<[string, (many: Record<string, unknown>) => unknown]>([
    ['unknown fields', (many) => ({ title, ...many })],
    ['unknown fields around a known one', (many) => ({ ...many, title })],
    ['bad metadata', (many) => ({ title, metadata: many })],
    ['unknown fields of the sdk', (many) => ({ title, sdk: { name: 'x', version: '1', ...many } })],
  ])('lists at most twenty faults: %s', async (_, describe) => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unknown${index}`, null]))
    const { status, body } = await submit(describe(many))
    expect([status, body.errors.length]).toEqual([422, 20])
    expect(body.detail).toBe('At least 20 fields are not valid. The first 20 are listed.')
  })

  it.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['broken JSON', '{"title":', {}, 400, 'malformed-body'],
    ['an empty body', '', {}, 400, 'malformed-body'],
    ['deep nesting', `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, {}, 400, 'malformed-body'],
    ['invalid UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1'), {}, 400, 'malformed-body'],
    [
      'another media type',
      'title=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported-media-type',
    ],
    ['XML', '<title/>', { 'content-type': 'application/xml' }, 415, 'unsupported-media-type'],
    ['a compressed body', '{"title":"x"}', { 'content-encoding': 'gzip' }, 415, 'unsupported-media-type'],
    [
      '300 KiB',
      JSON.stringify({ title: 'x', description: 'x'.repeat(300 * 1024) }),
      {},
      413,
      'content-too-large',
    ],
  ])('%s', async (_, body, headers, status, code) => {
    const before = await issueCount()
    const answer = await submit(body, headers)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await issueCount()).toBe(before)
  })
})
