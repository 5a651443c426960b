import {
  type Event,
  type Issue,
  type IssueListItem,
  MAX_COUNTED_REPORTERS,
  REPORT_FIELD_NAMES,
  type ReportFieldName,
} from '@bugle/contract'
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

/** Issues as a table. On a narrow terminal, other columns are left out in favour of the title. */
export function issueTable(issues: readonly IssueListItem[], now: number, screen: Screen): string {
  return table(
    COLUMNS,
    issues.map((issue) => rowOf(issue, now)),
    screen,
  )
}

/** The same for issues of several projects, whose slugs are given by id. */
export function jointIssueTable(
  issues: readonly IssueListItem[],
  slugs: ReadonlyMap<string, string>,
  now: number,
  screen: Screen,
): string {
  const rows = issues.map((issue) => [slugs.get(issue.projectId) ?? issue.projectId, ...rowOf(issue, now)])
  return table([{ heading: 'PROJECT' }, ...COLUMNS], rows, screen)
}

function rowOf(issue: IssueListItem, now: number): string[] {
  return [
    `#${issue.issueNumber}`,
    issue.status,
    issue.priority,
    issue.category,
    String(issue.reportCount),
    age(issue.createdAt, now),
    issue.title,
  ]
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
export function issueText(issue: ShownIssue, history: readonly Event[], screen: Screen): string {
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

type Reporter = NonNullable<Issue['reporter']>

/** An issue with the name of its assignee. */
type ShownIssue = Issue & { readonly assignee: string | null }

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

function factsOf(issue: ShownIssue): readonly (readonly [string, string])[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ['status', `${issue.status} (can become ${issue.allowedTransitions.join(', ')})`],
    ['priority', issue.priority],
    ['category', issue.category],
    ['assignee', issue.assignee],
    ['labels', issue.labels && (issue.labels.join(', ') || null)],
    ['reports', `${issue.reportCount}, the latest on ${moment(issue.lastReportedAt)}`],
    ['reporters', issue.reporterCount ? countText(issue.reporterCount) : null],
    ['reported by', issue.reporter && reporterText(issue.reporter)],
    ['comments', issue.commentCount ? String(issue.commentCount) : null],
    ['conversation', issue.conversation?.replaceAll('-', ' ') ?? null],
    ['known issue', issue.known?.title ?? null],
    ['created', moment(issue.createdAt)],
    ['occurred', issue.occurredAt && moment(issue.occurredAt)],
    ['release', release(issue)],
    ['branch', issue.branch],
    ['platform', joined([issue.platform, issue.osVersion, issue.deviceModel])],
    ...OTHER_TEXTS.map((name) => [name, issue[name]] as const),
    ['last seen in', issue.reportCount > 1 ? issue.lastSeenIn && release(issue.lastSeenIn) : null],
    ['seen on', issue.onDefaultBranch === null ? null : branchText(issue.onDefaultBranch)],
    ['fixed in', issue.fixedIn && release(issue.fixedIn)],
    ['fingerprint', issue.fingerprint],
    ['sent by', issue.sdk && `${issue.sdk.name} ${issue.sdk.version}`],
    ['context', issue.context && membersOf(issue.context)],
    ['metadata', issue.metadata && membersOf(issue.metadata)],
    ['id', issue.id],
    ['project', issue.projectId],
  ]
  return facts.filter((fact): fact is readonly [string, string] => fact[1] !== null)
}

/** The remaining fields of a report; the others have their own lines. */
const OWN_LINES: readonly ReportFieldName[] = [
  ...(['appVersion', 'buildNumber', 'branch'] as const),
  ...(['platform', 'osVersion', 'deviceModel'] as const),
]
const OTHER_TEXTS = REPORT_FIELD_NAMES.filter((name) => !OWN_LINES.includes(name))

function eventLines(event: Event, { columns, colours }: Screen): readonly string[] {
  const { createdAt, type, actor, changes, names = {}, note, reason, confirmed, comment } = event
  const name = type.replace(/^issue\./, '').replaceAll(/[_.]/g, ' ')
  const mark =
    confirmed === false ? 'unconfirmed' : comment?.audience === 'reporters' ? 'reply to reporters' : null
  const what = mark === null ? name : `${name} (${mark})`
  const who = actor.id === null ? actor.kind : `${actor.kind} ${actor.name ?? actor.id}`
  const said = [reason, note, comment?.text ?? null].flatMap((text) => (text === null ? [] : lines(text)))
  // A comment is shown itself, not its id.
  const shown = changes.filter(({ member }) => member !== 'comment')
  const details = [...shown.map((change) => changeLine(change, names)), ...said]
    .flatMap((line) => wrap(line, columns - DETAIL.length))
    .map((line) => DETAIL + line)
  return [`  ${colours.faint(moment(createdAt))}  ${what}, by ${printable(who)}`, ...details]
}

const DETAIL = '    '

function changeLine(
  { member, from, to }: Event['changes'][number],
  names: Readonly<Record<string, string>>,
): string {
  const isKept = from !== null || to !== null
  return printable(
    isKept ? `${member}: ${valueText(from, names)} → ${valueText(to, names)}` : `${member} changed`,
  )
}

function valueText(value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return value.join(', ') || 'nothing'
  if (typeof value !== 'object') return names[String(value)] ?? String(value)
  return release(value) ?? JSON.stringify(value)
}

/** "2.4.1 (512)". */
function release(value: { appVersion?: string | null; buildNumber?: string | null }): string | null {
  const { appVersion = null, buildNumber = null } = value
  return buildNumber === null ? appVersion : `${appVersion ?? 'build'} (${buildNumber})`
}

function branchText(isOnDefault: boolean): string {
  return isOnDefault ? 'the default branch' : 'other branches only'
}

function countText(reporters: number): string {
  return reporters < MAX_COUNTED_REPORTERS ? String(reporters) : `${MAX_COUNTED_REPORTERS} or more`
}

/** "Ada <ada@example.com> (4711)", as far as it is known. */
export function reporterText({ id, name, email }: Reporter): string {
  return [name, email && `<${email}>`, id && `(${id})`].filter(Boolean).join(' ')
}

export function membersOf(metadata: NonNullable<Issue['metadata']>): string {
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

/** To the second, because issues can arrive seconds apart. */
function second(timestamp: string): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`
}

/** How long ago, in its largest unit. */
function age(timestamp: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(timestamp))
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}m`
  return elapsed < DAY_MS ? `${Math.floor(elapsed / HOUR_MS)}h` : `${Math.floor(elapsed / DAY_MS)}d`
}
