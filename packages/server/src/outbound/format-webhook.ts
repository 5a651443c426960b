import type { Event, EventType, IssueBrief, WebhookProject } from '@bugle/contract'

/** Standard Webhooks asks for less than 20 kB. */
export const MAX_PAYLOAD_BYTES = 19_999
/** Slack takes 3,000 characters, of which escaping makes up to five from one. */
const MAX_LINE_CHARS = 500

/** What is told to a webhook. */
export interface Notice {
  readonly event: Event
  /** `null` if the event is about none, or about one that is gone. */
  readonly issue: IssueBrief | null
  readonly project: WebhookProject
  /** Where people find the dashboard; `null` if that is not known. */
  readonly baseUrl: string | null
}

/** The body of a webhook as Standard Webhooks recommends it; a note that is too long ends in an ellipsis. */
export function formatStandard({ event, issue, project }: Notice): string {
  const withNote = (note: string | null) =>
    JSON.stringify({
      type: event.type,
      timestamp: event.createdAt,
      data: { ...event, note, project, issue },
    })
  const body = withNote(event.note)
  const excess = Buffer.byteLength(body) - MAX_PAYLOAD_BYTES
  // Of all that an event holds, only a note can be that long.
  return excess <= 0 || event.note === null ? body : withNote(cutByBytes(event.note, excess))
}

/** A message for an incoming webhook of Slack. Whatever strangers wrote stays text: no link, mention or formatting. */
export function formatSlack(notice: Notice): string {
  const line = cut(sentenceOf(notice), MAX_LINE_CHARS)
  const link = linkTo(notice)
  return JSON.stringify({
    // For notifications, and for others who take the same messages but only know formatted text.
    text: [escapeMarkup(disarm(line)), ...link].join(' '),
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: escapeMarkup(line), emoji: false } },
      ...link.map((text) => ({ type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }] })),
    ],
  })
}

function cutByBytes(text: string, excess: number): string {
  const chars = [...text]
  let toCut = excess + Buffer.byteLength('…')
  while (toCut > 0 && chars.length > 0) toCut -= Buffer.byteLength(JSON.stringify(chars.pop() ?? '')) - 2
  return `${chars.join('')}…`
}

function sentenceOf({ event, issue, project }: Notice): string {
  const subject = event.issueNumber === null ? `${project.name}:` : `${project.name} #${event.issueNumber}`
  const title = issue === null ? '' : `: “${issue.title}”`
  const remarks = [event.reason, event.note].flatMap((remark) => (remark === null ? [] : [` · ${remark}`]))
  return onOneLine(`${subject} ${WORDS[event.type](event, issue)}${title}${remarks.join('')}`)
}

const WORDS: Readonly<Record<EventType, (event: Event, issue: IssueBrief | null) => string>> = {
  'issue.created': (_, issue) =>
    issue === null ? 'is new' : `is new (${inWords(issue.category)}, ${issue.priority})`,
  'issue.reported': (_, issue) =>
    issue === null ? 'was reported again' : `was reported again, ${issue.reportCount} times in all`,
  'issue.updated': ({ changes }) => changesIn(changes),
  'issue.status_changed': ({ changes }) => `was moved${moveIn(changes)}`,
  'issue.regressed': () => 'is back, after it was resolved',
  'issue.deleted': () => 'was deleted',
  'webhook.paused': () => 'a webhook was paused',
  'webhook.resumed': () => 'a webhook was resumed',
}

function changesIn(changes: Event['changes']): string {
  const members = changes.map(({ member }) => member)
  return members.length === 0 ? 'got a note' : `was changed (${members.join(', ')})`
}

function moveIn(changes: Event['changes']): string {
  const move = changes.find(({ member }) => member === 'status')
  return move === undefined ? '' : ` from ${inWords(String(move.from))} to ${inWords(String(move.to))}`
}

function inWords(word: string): string {
  return word.replaceAll('_', ' ')
}

/** Line breaks could begin a quotation, and marks of direction could turn the sentence around. */
function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
}

function cut(text: string, maxChars: number): string {
  const chars = [...text]
  return chars.length <= maxChars ? text : `${chars.slice(0, maxChars - 1).join('')}…`
}

const LOOKALIKES: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' }

/** Formatting knows no escape, so its marks give way to lookalikes; names and addresses are broken up, invisibly. */
function disarm(text: string): string {
  return text
    .replaceAll(/[*_~`]/g, (mark) => LOOKALIKES[mark] ?? '')
    .replaceAll(/[@#:/.![\]()|\\]/g, '$&\u200b')
}

/** The three characters that Slack gives a meaning to, and takes back only like this. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function linkTo({ issue, baseUrl }: Notice): readonly string[] {
  if (issue === null || baseUrl === null) return []
  return [`<${escapeMarkup(`${baseUrl}/issues/${issue.id}`)}|Open #${issue.issueNumber}>`]
}
