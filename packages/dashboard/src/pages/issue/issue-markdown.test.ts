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
const ADDRESS = 'https://bugs.example.com/issues/iss_1'

it('has everything that another tracker needs', () => {
  expect(issueMarkdown(issue, ADDRESS)).toBe(
    [
      '## #\u200b42 Settings screen stays blank',
      '',
      '- **Status:** Open',
      '- **Priority:** High',
      '- **Category:** UI\\/UX',
      '- **Version:** 2\\.4\\.1 \\(512\\)',
      '- **Platform:** iOS',
      '- **System:** iOS 26\\.1',
      '- **Device:** iPhone 17',
      '- **Branch:** release\\/2\\.4',
      '- **Reported:** 2026\\-11\\-15T09\\:31\\:12\\.345Z',
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
      `<${ADDRESS}>`,
      '',
    ].join('\n'),
  )
})

it('leaves out what the report did not say', () => {
  const bare = { ...issue, appVersion: null, buildNumber: null, osVersion: null, deviceModel: null }
  const text = issueMarkdown(
    { ...bare, platform: null, branch: null, description: null, metadata: {} },
    ADDRESS,
  )
  expect(text).not.toMatch(/null|undefined|```|Device|Version/)
})

it('lets nothing of a report become markup, a mention or a line of its own', () => {
  const title = '[x](https://evil.example) ![y](z) <img src=x> **b** `c` @team #7\n# Heading\u202e'
  const [heading] = issueMarkdown({ ...issue, title }, ADDRESS).split('\n')
  expect(heading).toBe(
    '## #\u200b42 \\[x\\]\\(https\\:\\/\\/evil\\.example\\) \\!\\[y\\]\\(z\\) \\<img src\\=x\\> \\*\\*b\\*\\* \\`c\\` \\@\u200bteam \\#\u200b7 \\#\u200b Heading',
  )
})

it('fences a description with more backticks than it has', () => {
  const description = 'before\n```\n````js\n# out?\n'
  const text = issueMarkdown({ ...issue, description, metadata: null }, ADDRESS)
  expect(text).toContain(`\`\`\`\`\`text\n${description}\n\`\`\`\`\`\n`)
})
