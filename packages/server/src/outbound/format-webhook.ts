import type { Event, EventType, IssueBrief, WebhookProject } from '@bugle/contract'

/** Standard Webhooks recommends less than 20 kB. */
export const MAX_PAYLOAD_BYTES = 19_999
/** Slack accepts 3,000 characters, and escaping turns one character into up to five. */
const MAX_LINE_CHARS = 500

/** The content of a message. */
export interface Notice {
  readonly event: Event
  /** `null` if the event has no issue, or the issue was deleted. */
  readonly issue: IssueBrief | null
  readonly project: WebhookProject
  /** The address of the dashboard; `null` if unknown. */
  readonly baseUrl: string | null
}

/**
 * The body of a webhook as Standard Webhooks recommends it; a note or a comment that is too long ends in an ellipsis. If that is
 * not enough, the files of the comment are left out.
 */
export function formatStandard(notice: Notice): string {
  const { event } = notice
  const body = formatFitting(notice)
  if (Buffer.byteLength(body) <= MAX_PAYLOAD_BYTES || event.comment === null) return body
  return formatFitting({ ...notice, event: { ...event, comment: { ...event.comment, attachments: [] } } })
}

function formatFitting({ event, issue, project }: Notice): string {
  const bodyOf = (shown: Event) =>
    JSON.stringify({ type: event.type, timestamp: event.createdAt, data: { ...shown, project, issue } })
  const body = bodyOf(event)
  const excess = Buffer.byteLength(body) - MAX_PAYLOAD_BYTES
  return excess <= 0 ? body : bodyOf(shortened(event, excess))
}

/** Only the note or the comment of an event can be that long, and no event has both. */
function shortened(event: Event, excess: number): Event {
  const { note, comment } = event
  if (note !== null) return { ...event, note: cutByBytes(note, excess) }
  if (comment !== null) return { ...event, comment: { ...comment, text: cutByBytes(comment.text, excess) } }
  return event
}

/** A message for an incoming webhook of Slack. Reported text stays plain: no link, mention or formatting. */
export function formatSlack(notice: Notice): string {
  const line = cut(sentenceOf(notice), MAX_LINE_CHARS)
  const link = linkTo(notice)
  return JSON.stringify({
    // For notifications, and for compatible services that support only formatted text.
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
  const remarks = [event.reason, event.note, event.comment?.text].flatMap((remark) =>
    remark ? [` · ${remark}`] : [],
  )
  return onOneLine(`${subject} ${WORDS[event.type](event, issue)}${title}${remarks.join('')}`)
}

const WORDS: Readonly<Record<EventType, (event: Event, issue: IssueBrief | null) => string>> = {
  'issue.created': (_, issue) =>
    issue === null ? 'is new' : `is new (${inWords(issue.category)}, ${issue.priority})`,
  'issue.reported': (_, issue) =>
    issue === null ? 'was reported again' : `was reported again, ${issue.reportCount} times in all`,
  'issue.updated': (event) => changesIn(event),
  'issue.status_changed': ({ changes }) => `was moved${moveIn(changes)}`,
  'issue.regressed': () => 'has regressed: it was reported again after it was resolved',
  'issue.deleted': () => 'was deleted',
  'issue.marked_as_spam': ({ actor }) => `was marked as spam${byName(actor)}`,
  'issue.unmarked_as_spam': ({ actor }) => `is no longer marked as spam${byName(actor)}`,
  'attachment.received': () => 'has a new file',
  'comment.created': ({ actor, comment }) =>
    comment === null ? 'had a comment, which was deleted' : `has a new comment${byName(actor)}`,
  'comment.updated': ({ actor, comment }) =>
    comment === null ? 'had a comment, which was deleted' : `has an edited comment${byName(actor)}`,
  'comment.deleted': ({ actor }) => `had a comment deleted${byName(actor)}`,
  'reporter.blocked': ({ actor }) => `had a reporter blocked${byName(actor)}`,
  'reporter.unblocked': ({ actor }) => `had a reporter unblocked${byName(actor)}`,
  'webhook.paused': () => 'a webhook was paused',
  'webhook.resumed': () => 'a webhook was resumed',
}

function byName({ name }: Event['actor']): string {
  return name === null ? '' : ` by ${name}`
}

function changesIn({ changes, names = {} }: Event): string {
  const members = changes.map(({ member }) => MEMBER_WORDS[member] ?? member)
  const assigned = changes.find(({ member }) => member === 'assigneeId')
  if (members.length === 0) return 'has a new note'
  const labels = changes.find(({ member }) => member === 'labels')
  if (labels !== undefined && members.length === 1) return labelsIn(labels)
  const known = changes.find(({ member }) => member === 'known')
  if (known !== undefined && members.length === 1) return knownIn(known)
  if (assigned === undefined || members.length > 1) return `was changed (${members.join(', ')})`
  if (assigned.to === null) return 'is no longer assigned to anyone'
  return `was assigned to ${names[String(assigned.to)] ?? 'someone'}`
}

/** Which labels were added, and which were removed. */
function labelsIn({ from, to }: Event['changes'][number]): string {
  const [before, after] = [from, to] as [readonly string[], readonly string[]]
  const quote = (names: readonly string[]) => names.map((name) => `“${name}”`).join(', ')
  const added = after.filter((name) => !before.includes(name))
  const removed = before.filter((name) => !after.includes(name))
  return [
    ...(added.length > 0 ? [`was labelled ${quote(added)}`] : []),
    ...(removed.length > 0 ? [`is no longer labelled ${quote(removed)}`] : []),
  ].join(' and ')
}

/** Whether it was published, changed or unpublished. */
function knownIn({ from, to }: Event['changes'][number]): string {
  if (to === null) return 'is no longer published as a known issue'
  if (from === null) return `was published as “${to}”`
  return from === to ? `has a new text for the known issue “${to}”` : `is now published as “${to}”`
}

/** Fields whose name in the API is not a plain word. */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  assigneeId: 'assignee',
  fixedIn: 'fixed in',
  known: 'known issue',
}

function moveIn(changes: Event['changes']): string {
  const move = changes.find(({ member }) => member === 'status')
  return move === undefined ? '' : ` from ${inWords(String(move.from))} to ${inWords(String(move.to))}`
}

function inWords(word: string): string {
  return word.replaceAll('_', ' ')
}

/** Line breaks could start a quotation, and direction controls could reverse the sentence. */
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

/** Slack formatting has no escapes, so its marks are replaced by lookalikes; names and addresses are broken up invisibly. */
function disarm(text: string): string {
  return text
    .replaceAll(/[*_~`]/g, (mark) => LOOKALIKES[mark] ?? '')
    .replaceAll(/[@#:/.![\]()|\\]/g, '$&\u200b')
}

/** The three characters that are special to Slack, with their escapes. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function linkTo({ issue, baseUrl }: Notice): readonly string[] {
  if (issue === null || baseUrl === null) return []
  return [`<${escapeMarkup(`${baseUrl}/issues/${issue.id}`)}|Open #${issue.issueNumber}>`]
}
