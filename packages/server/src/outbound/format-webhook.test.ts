import {
  EVENT_TYPES,
  type Event,
  MAX_ATTACHMENT_NAME_CHARS,
  MAX_ATTACHMENTS,
  MAX_COMMENT_CHARS,
  MAX_MENTIONS,
  MAX_NOTE_CHARS,
  MAX_TITLE_CHARS,
  MAX_USER_NAME_CHARS,
} from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { formatSlack, formatStandard, MAX_PAYLOAD_BYTES, type Notice } from './format-webhook.ts'

const EVENT: Event = {
  position: 311,
  type: 'issue.created',
  createdAt: '2026-11-15T09:31:12.345Z',
  projectId: 'prj_1',
  issueId: 'iss_1',
  issueNumber: 42,
  actor: { kind: 'key', id: 'key_1', name: 'CI' },
  changes: [],
  note: null,
  reason: null,
  confirmed: null,
  comment: null,
}
const ISSUE = {
  id: 'iss_1',
  issueNumber: 42,
  title: 'The app closes on start',
  status: 'open',
  category: 'ui_ux',
  priority: 'high',
  reportCount: 17,
} as const
const PROJECT = { id: 'prj_1', name: 'Demo', slug: 'demo' }

const COMMENT: NonNullable<Event['comment']> = {
  id: 'c',
  issueId: 'iss_1',
  text: 'Looking into it',
  audience: 'team',
  reportNumber: null,
  author: EVENT.actor,
  mentions: [],
  attachments: [],
  createdAt: EVENT.createdAt,
  editedAt: null,
}

describe('the standard format', () => {
  it('contains the event, the project and the issue', () => {
    expect(JSON.parse(formatStandard(notice()))).toEqual({
      type: 'issue.created',
      timestamp: '2026-11-15T09:31:12.345Z',
      data: { ...EVENT, project: PROJECT, issue: ISSUE },
    })
    expect(JSON.parse(formatStandard(notice({}, { issue: null }))).data.issue).toBeNull()
  })

  it.each([
    ['letters', 'x'],
    ['umlauts', 'ä'],
    ['emoji', '💥'],
    ['quotation marks', '"'],
    ['control characters', '\u0001'],
    ['halves of characters', '\ud83d'],
  ])('is small enough even if everything has its maximum length: %s', (_, char) => {
    const title = char.repeat(MAX_TITLE_CHARS)
    const note = char.repeat(MAX_NOTE_CHARS)
    const changes = [
      { member: 'status', from: 'open', to: 'resolved' },
      { member: 'title', from: title, to: title },
      { member: 'description', from: null, to: null },
    ]
    const body = formatStandard(notice({ changes, note }, { issue: { ...ISSUE, title } }))
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    const { data } = JSON.parse(body)
    expect(data.issue.title).toBe(title)
    if (data.note === note) return
    expect(Buffer.byteLength(body)).toBeGreaterThan(MAX_PAYLOAD_BYTES - 6)
    expect([note.startsWith(data.note.slice(0, -1)), data.note.at(-1)]).toEqual([true, '…'])
  })

  it('leaves out the files of a comment if their names are too long, and keeps the text', () => {
    const file = { contentType: null, declaredType: 'text/plain', size: 1, sha256: 'a'.repeat(64) }
    const state = { state: 'pending', isInline: false, receivedAt: null } as const
    const attachments = Array.from({ length: MAX_ATTACHMENTS }, (_, index) => ({
      ...{ id: `att_${index}`, name: '💥'.repeat(MAX_ATTACHMENT_NAME_CHARS), ...file, ...state },
    }))
    const mentions = Array.from({ length: MAX_MENTIONS }, () => ({
      ...{ id: 'usr_1', name: '💥'.repeat(MAX_USER_NAME_CHARS) },
    }))
    const few = notice({ type: 'comment.created', comment: { ...COMMENT, attachments } })
    expect(JSON.parse(formatStandard(few)).data.comment.attachments).toHaveLength(MAX_ATTACHMENTS)
    const many = notice({ type: 'comment.created', comment: { ...COMMENT, attachments, mentions } })
    const body = formatStandard(many)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    expect(JSON.parse(body).data.comment).toMatchObject({ text: COMMENT.text, attachments: [] })
  })

  it.each(['x', '💥', '\u0001', '"'])('shortens a comment that is too long: %j', (char) => {
    const name = char.repeat(MAX_USER_NAME_CHARS)
    const mentions = Array.from({ length: MAX_MENTIONS }, (_, n) => ({ id: `usr_${n}`, name }))
    const author = { ...COMMENT.author, name }
    const text = char.repeat(MAX_COMMENT_CHARS)
    const body = formatStandard(
      notice({ type: 'comment.created', actor: author, comment: { ...COMMENT, author, mentions, text } }),
    )
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    const { comment } = JSON.parse(body).data
    expect(comment.mentions).toEqual(mentions)
    expect(
      comment.text === text || (comment.text.endsWith('…') && text.startsWith(comment.text.slice(0, -1))),
    ).toBe(true)
  })
})

describe('the Slack format', () => {
  it.each<[type: Event['type'], Partial<Event>, line: string]>([
    ['issue.created', {}, 'Demo #42 is new (ui ux, high): “The app closes on start”'],
    ['issue.reported', {}, 'Demo #42 was reported again, 17 times in all: “The app closes on start”'],
    [
      'issue.updated',
      { changes: [change('priority'), change('title')] },
      'Demo #42 was changed (priority, title): “The app closes on start”',
    ],
    [
      'issue.updated',
      { changes: [change('known', null, 'Blank')] },
      'Demo #42 was published as “Blank”: “The app closes on start”',
    ],
    [
      'issue.updated',
      { changes: [change('known', 'Blank', 'Empty')] },
      'Demo #42 is now published as “Empty”: “The app closes on start”',
    ],
    [
      'issue.updated',
      { changes: [change('known', 'Empty', 'Empty')] },
      'Demo #42 has a new text for the known issue “Empty”: “The app closes on start”',
    ],
    [
      'issue.updated',
      { changes: [change('known', 'Blank', null)] },
      'Demo #42 is no longer published as a known issue: “The app closes on start”',
    ],
    ['issue.updated', { note: 'Seen.' }, 'Demo #42 has a new note: “The app closes on start” · Seen.'],
    [
      'issue.status_changed',
      { changes: [change('status', 'open', 'in_progress')], note: 'On it.' },
      'Demo #42 was moved from open to in progress: “The app closes on start” · On it.',
    ],
    [
      'issue.regressed',
      { reason: '2.4.1 is not older than the fix.' },
      'Demo #42 has regressed: it was reported again after it was resolved: “The app closes on start” · 2.4.1 is not older than the fix.',
    ],
    [
      'comment.created',
      { comment: COMMENT },
      'Demo #42 has a new comment by CI: “The app closes on start” · Looking into it',
    ],
    [
      'comment.updated',
      { comment: COMMENT, actor: { ...EVENT.actor, name: null } },
      'Demo #42 has an edited comment: “The app closes on start” · Looking into it',
    ],
    ['comment.created', {}, 'Demo #42 had a comment, which was deleted: “The app closes on start”'],
    ['comment.deleted', {}, 'Demo #42 had a comment deleted by CI: “The app closes on start”'],
  ])('describes %s %j', (type, event, line) => {
    expect(shown(notice({ ...event, type }))).toBe(line)
  })

  it.each<[type: Event['type'], Partial<Event>, line: string]>([
    ['issue.created', {}, 'Demo #42 is new'],
    ['issue.reported', {}, 'Demo #42 was reported again'],
    ['issue.deleted', {}, 'Demo #42 was deleted'],
    ['webhook.paused', { issueNumber: null, reason: '410.' }, 'Demo: a webhook was paused · 410.'],
    ['webhook.resumed', { issueNumber: null }, 'Demo: a webhook was resumed'],
  ])('describes %s without an issue', (type, event, line) => {
    expect(shown(notice({ ...event, type }, { issue: null }))).toBe(line)
  })

  it('links to the issue if the URL is known, and to nothing else', () => {
    const baseUrl = 'https://bugle.example.com'
    const { text, blocks } = message(notice({}, { baseUrl }))
    const link = '<https://bugle.example.com/issues/iss_1|Open #42>'
    expect(blocks.slice(1)).toEqual([
      { type: 'context', elements: [{ type: 'mrkdwn', text: link, verbatim: true }] },
    ])
    expect(text.endsWith(` ${link}`)).toBe(true)
    expect(message(notice()).blocks).toHaveLength(1)
    expect(message(notice({}, { baseUrl, issue: null })).blocks).toHaveLength(1)
  })

  it.each([
    ['a mention of everyone', '<!here> <!channel> @everyone'],
    ['a mention of a person', '<@U012AB3CD> @jane'],
    ['a channel', '<#C012AB3CD> #general'],
    ['a link', '<https://evil.example|your bank>'],
    ['a bare address', 'https://evil.example www.evil.example mailto:a@evil.example'],
    ['a link in Markdown', '[your bank](https://evil.example) ![x](//evil.example)'],
    ['formatting', '*bold* _italic_ ~gone~ `code` ```block``` ||spoiler||'],
    ['an emoji', ':rotating_light:'],
    ['entities', '&lt;!here&gt; &amp;'],
    ['lines', 'one\n> quotation\r\n# heading\u2028- list\v\0'],
    ['another direction', '\u202eelpmaxe.live\u2066'],
  ])('does not turn a title into %s', (_, title) => {
    for (const type of EVENT_TYPES) {
      const hostile = notice(
        {
          ...{ type, note: title, reason: title, changes: [change(title)] },
          comment: { ...COMMENT, text: title },
          actor: { ...EVENT.actor, name: title },
        },
        { issue: { ...ISSUE, title }, project: { ...PROJECT, name: title } },
      )
      const { text, blocks } = message(hostile)
      expect(blocks).toEqual([
        { type: 'section', text: { type: 'plain_text', text: expect.any(String), emoji: false } },
      ])
      for (const line of [text, blocks[0]?.text?.text ?? '']) {
        expect(line).not.toMatch(/[<>\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|&(?!amp;|lt;|gt;)/u)
      }
      expect(text).not.toMatch(/[*_~`]|[@#:/.![\]()|\\](?!\u200b)/)
    }
  })

  it('is short enough for Slack, whatever its content', () => {
    const title = '&'.repeat(MAX_TITLE_CHARS)
    const note = '<'.repeat(MAX_NOTE_CHARS)
    const { blocks } = message(notice({ note }, { issue: { ...ISSUE, title } }))
    expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(3_000)
    expect(blocks[0]?.text?.text.at(-1)).toBe('…')
    expect(shown(notice({ note: '💥'.repeat(MAX_NOTE_CHARS) })).isWellFormed()).toBe(true)
  })
})

function notice(event: Partial<Event> = {}, others: Partial<Notice> = {}): Notice {
  return { event: { ...EVENT, ...event }, issue: ISSUE, project: PROJECT, baseUrl: null, ...others }
}

function change(member: string, from: unknown = null, to: unknown = null) {
  return { member, from, to }
}

interface Message {
  readonly text: string
  readonly blocks: readonly { readonly text?: { readonly text: string } }[]
}

function message(told: Notice): Message {
  return JSON.parse(formatSlack(told))
}

function shown(told: Notice): string {
  return message(told).blocks[0]?.text?.text ?? ''
}
