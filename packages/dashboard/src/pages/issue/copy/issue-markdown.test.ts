import type { Issue } from '@bugle/contract'
import { expect, it } from 'vitest'
import { issueMarkdown } from './issue-markdown.ts'

const issue = {
  id: 'iss_1',
  issueNumber: 42,
  title: 'Settings screen stays blank',
  status: 'open',
  priority: 'high',
  category: 'ui_ux',
  createdAt: '2026-11-15T09:31:12.345Z',
  lastReportedAt: '2026-11-15T10:00:00.000Z',
  reportCount: 1,
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'iPhone 17',
  platform: 'ios',
  branch: 'release/2.4',
  fixedIn: null,
  description: '1. Open settings\n2. Nothing is drawn',
  metadata: { locale: 'de-CH' },
} as unknown as Issue
const ADDRESS = 'https://bugs.example.com/projects/kitchen/issues/42'

it('has everything that another tracker needs', () => {
  expect(issueMarkdown(issue, ADDRESS)).toBe(
    [
      `## [#42](${ADDRESS}) Settings screen stays blank`,
      '',
      '- **Status:** Open',
      '- **Priority:** High',
      '- **Category:** UI/UX',
      '- **Version:** 2.4.1 (512)',
      '- **Platform:** iOS',
      '- **OS:** iOS 26.1',
      '- **Device:** iPhone 17',
      '- **Branch:** release/2.4',
      '- **Reported:** 2026-11-15T09:31:12.345Z',
      '',
      '```text',
      '1. Open settings',
      '2. Nothing is drawn',
      '```',
      '',
      '```json',
      '{',
      '  "locale": "de-CH"',
      '}',
      '```',
      '',
    ].join('\n'),
  )
})

it('omits fields that the report does not have', () => {
  const bare = { ...issue, appVersion: null, buildNumber: null, osVersion: null, deviceModel: null }
  const text = issueMarkdown(
    { ...bare, platform: null, branch: null, description: null, metadata: {} },
    ADDRESS,
  )
  expect(text).not.toMatch(/null|undefined|```|Device|Version/)
})

it.each([
  ['Login (v2.1) fails: 50% of users, c:\\temp - see notes!', null],
  ['snake_case_name in a.b.c <= 3 & more', null],
  ['[iOS] List [1] is empty', null],
  ['*all* of it, ~gone~ `now`', '\\*all\\* of it, \\~gone\\~ \\`now\\`'],
  ['_private_ and __init__', '\\_private\\_ and \\_\\_init\\_\\_'],
  ['<img src=x> a < b', '\\<img src=x> a < b'],
  ['[two words](//evil.example) ![y](z)', '[two words\\](//evil.example) ![y\\](z)'],
  ['&lt;b&gt; &copy', '\\&lt;b\\&gt; &copy'],
  ['\\*not escaped', '\\\\\\*not escaped'],
  ['cc @team about #7, GH-12 and !3', 'cc `@team` about `#7,` `GH-12` and `!3`'],
  ['[x](https://evil.example) www.evil.example', '`[x](https://evil.example)` `www.evil.example`'],
  ['`@team`', '`` `@team` ``'],
  ['line\n# Heading\u202e ##', 'line \\# Heading \\##'],
])('escapes only what would be markup: %s', (title, expected) => {
  const [heading] = issueMarkdown({ ...issue, title }, ADDRESS).split('\n')
  expect(heading).toBe(`## [#42](${ADDRESS}) ${expected ?? title}`)
})

it('has no invisible characters', () => {
  expect(issueMarkdown({ ...issue, title: '@a #7 \u202e' }, ADDRESS)).not.toMatch(/[\u200b\u202e]/)
})

it('fences a description with more backticks than it has', () => {
  const description = 'before\n```\n````js\n# out?\n'
  const text = issueMarkdown({ ...issue, description, metadata: null }, ADDRESS)
  expect(text).toContain(`\`\`\`\`\`text\n${description}\n\`\`\`\`\`\n`)
})
