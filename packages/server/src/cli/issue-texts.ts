import type { Event, Issue, IssueListItem } from '@bugle/contract'
import { pairs, printable, table } from './terminal/printable.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Issues as a table; the title comes last, to be cut where the terminal ends. */
export function issueTable(issues: readonly IssueListItem[], now: number): string {
  const rows = issues.map((issue) => [
    `#${issue.issueNumber}`,
    issue.status,
    issue.priority,
    issue.category,
    String(issue.reportCount),
    age(issue.createdAt, now),
    issue.title,
  ])
  return table(['ISSUE', 'STATUS', 'PRIORITY', 'CATEGORY', 'REPORTS', 'AGE', 'TITLE'], rows)
}

/** An issue on one line, for a list that grows at its end. */
export function issueLine({ createdAt, issueNumber, priority, category, title }: IssueListItem): string {
  const columns = [moment(createdAt), `#${issueNumber}`.padEnd(6), priority.padEnd(8), category.padEnd(11)]
  return [...columns, printable(title)].join('  ')
}

/** An issue in full with its history. */
export function issueText(issue: Issue, history: readonly Event[]): string {
  const parts = [
    `#${issue.issueNumber}  ${printable(issue.title)}`,
    pairs(factsOf(issue)),
    ...(issue.description === null ? [] : [lines(issue.description).join('\n')]),
    ['History', ...history.flatMap(eventLines)].join('\n'),
  ]
  return parts.join('\n\n')
}

function factsOf(issue: Issue): readonly (readonly [string, string])[] {
  const facts: readonly (readonly [string, string | null])[] = [
    ['status', `${issue.status} (may become ${issue.allowedTransitions.join(', ')})`],
    ['priority', issue.priority],
    ['category', issue.category],
    ['reports', `${issue.reportCount}, the last at ${moment(issue.lastReportedAt)}`],
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

function eventLines({ createdAt, type, actor, changes, note, reason, confirmed }: Event): readonly string[] {
  const name = type.replace(/^issue\./, '').replaceAll('_', ' ')
  const what = confirmed === false ? `${name} (unconfirmed)` : name
  const who = actor.id === null ? actor.kind : `${actor.kind} ${actor.name ?? actor.id}`
  const said = [reason, note].flatMap((text) => (text === null ? [] : lines(text)))
  const details = [...changes.map(changeLine), ...said].map((line) => `    ${line}`)
  return [`  ${moment(createdAt)}  ${what}, by ${printable(who)}`, ...details]
}

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

function moment(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
}

/** How long ago, in its largest unit. */
function age(timestamp: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(timestamp))
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}m`
  return elapsed < DAY_MS ? `${Math.floor(elapsed / HOUR_MS)}h` : `${Math.floor(elapsed / DAY_MS)}d`
}
