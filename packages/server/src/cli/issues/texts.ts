import type { Event, Issue, IssueListItem } from '@bugle/contract'
import type { Colours } from '../terminal/colours.ts'
import { fit, pad, wrap } from '../terminal/fit.ts'
import { printable } from '../terminal/printable.ts'
import { type Column, pairs, type Screen, table } from '../terminal/tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const COLUMNS: readonly Column[] = [
  { heading: 'ISSUE', paint: (number, { strong }) => strong(number) },
  { heading: 'STATUS', paint: paintStatus },
  { heading: 'PRIORITY', paint: paintPriority, leaveOut: 1 },
  { heading: 'CATEGORY', leaveOut: 2 },
  { heading: 'REPORTS', leaveOut: 3 },
  { heading: 'AGE', leaveOut: 4 },
  { heading: 'TITLE', overflow: 'cut' },
]

/** Issues as a table. On a narrow terminal the title keeps its room, and other columns are left out. */
export function issueTable(issues: readonly IssueListItem[], now: number, screen: Screen): string {
  const rows = issues.map((issue) => [
    `#${issue.issueNumber}`,
    issue.status,
    issue.priority,
    issue.category,
    String(issue.reportCount),
    age(issue.createdAt, now),
    issue.title,
  ])
  return table(COLUMNS, rows, screen)
}

/** An issue on one line, for a list that grows at its end. On a narrow terminal it has no date and no category. */
export function issueLine(issue: IssueListItem, { columns, colours }: Screen): string {
  const { createdAt, issueNumber, priority, category, title } = issue
  const parts: readonly (readonly [text: string, paint: (text: string) => string])[] = [
    [columns < NARROW ? createdAt.slice(11, 19) : second(createdAt), colours.faint],
    [pad(`#${issueNumber}`, 6), colours.strong],
    [pad(priority, 8), (text) => paintPriority(text, colours)],
    ...(columns < NARROW ? [] : [[pad(category, 11), String] as const]),
  ]
  const before = parts.reduce((sum, [text]) => sum + text.length + 2, 0)
  return [...parts.map(([text, paint]) => paint(text)), fit(printable(title), columns - before)].join('  ')
}

const NARROW = 100

/** An issue in full with its history. */
export function issueText(issue: Issue, history: readonly Event[], screen: Screen): string {
  const { strong } = screen.colours
  const title = `${strong(`#${issue.issueNumber}`)}  ${strong(printable(issue.title))}`
  const parts = [
    title,
    pairs(factsOf(issue), screen),
    ...(issue.description === null ? [] : [lines(issue.description).join('\n')]),
    [strong('History'), ...history.flatMap((event) => eventLines(event, screen))].join('\n'),
  ]
  return parts.join('\n\n')
}

function paintStatus(status: string, { good, accent, faint }: Colours): string {
  if (status.startsWith('open')) return accent(status)
  if (status.startsWith('resolved')) return good(status)
  return /^(?:closed|wontfix)/.test(status) ? faint(status) : status
}

function paintPriority(priority: string, { bad, warning, faint }: Colours): string {
  if (priority.startsWith('critical')) return bad(priority)
  if (priority.startsWith('high')) return warning(priority)
  return priority.startsWith('low') ? faint(priority) : priority
}

function factsOf(issue: Issue): readonly (readonly [string, string])[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ['status', `${issue.status} (can become ${issue.allowedTransitions.join(', ')})`],
    ['priority', issue.priority],
    ['category', issue.category],
    ['reports', `${issue.reportCount}, the latest on ${moment(issue.lastReportedAt)}`],
    ['created', moment(issue.createdAt)],
    ['occurred', issue.occurredAt && moment(issue.occurredAt)],
    ['release', release(issue)],
    ['branch', issue.branch],
    ['platform', joined([issue.platform, issue.osVersion, issue.deviceModel])],
    ['fixed in', issue.fixedIn && release(issue.fixedIn)],
    ['fingerprint', issue.fingerprint],
    ['sent by', issue.sdk && `${issue.sdk.name} ${issue.sdk.version}`],
    ['metadata', issue.metadata && membersOf(issue.metadata)],
    ['id', issue.id],
    ['project', issue.projectId],
  ]
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== null)
}

function eventLines(event: Event, { columns, colours }: Screen): readonly string[] {
  const { createdAt, type, actor, changes, note, reason, confirmed } = event
  const name = type.replace(/^issue\./, '').replaceAll('_', ' ')
  const what = confirmed === false ? `${name} (unconfirmed)` : name
  const who = actor.id === null ? actor.kind : `${actor.kind} ${actor.name ?? actor.id}`
  const said = [reason, note].flatMap((text) => (text === null ? [] : lines(text)))
  const details = [...changes.map(changeLine), ...said]
    .flatMap((line) => wrap(line, columns - DETAIL.length))
    .map((line) => DETAIL + line)
  return [`  ${colours.faint(moment(createdAt))}  ${what}, by ${printable(who)}`, ...details]
}

const DETAIL = '    '

function changeLine({ member, from, to }: Event['changes'][number]): string {
  const isKept = from !== null || to !== null
  return printable(isKept ? `${member}: ${valueText(from)} → ${valueText(to)}` : `${member} changed`)
}

function valueText(value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value !== 'object') return String(value)
  return release(value) ?? JSON.stringify(value)
}

/** "2.4.1 (512)". */
function release(value: { appVersion?: string | null; buildNumber?: string | null }): string | null {
  const { appVersion = null, buildNumber = null } = value
  return buildNumber === null ? appVersion : `${appVersion ?? 'build'} (${buildNumber})`
}

function membersOf(metadata: NonNullable<Issue['metadata']>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}=${value}`)
    .join('  ')
}

function joined(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join(', ') || null
}

function lines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/).map(printable)
}

/** To the minute. */
function moment(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
}

/** To the second: issues that arrive while somebody watches are seconds apart. */
function second(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`
}

/** How long ago, in its largest unit. */
function age(timestamp: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(timestamp))
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}m`
  return elapsed < DAY_MS ? `${Math.floor(elapsed / HOUR_MS)}h` : `${Math.floor(elapsed / DAY_MS)}d`
}
