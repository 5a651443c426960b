import type { Issue } from '@bugle/contract'
import { CATEGORY_NAMES, PRIORITY_NAMES, platformName, STATUS_NAMES } from '../../ui/words.ts'
import { formatRelease } from './releases.ts'

/** Everything that means something to one of the many readers of Markdown. */
const MARKUP = /[!-/:-@[-`{-~]/g
/** They would turn around what stands after them, where nothing keeps them in. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const ZERO_WIDTH_SPACE = '\u200b'

/** An issue for another tracker or a chat. Nothing that was reported becomes markup, a link or a mention there. */
export function issueMarkdown(issue: Issue, address: string): string {
  const facts = factsOf(issue).map(([name, value]) => `- **${name}:** ${escapeMarkdown(value)}`)
  const { description, metadata } = issue
  return [
    `## #${ZERO_WIDTH_SPACE}${issue.issueNumber} ${escapeMarkdown(issue.title)}`,
    facts.join('\n'),
    ...(description === null ? [] : [fence(description)]),
    ...(metadata === null || Object.keys(metadata).length === 0
      ? []
      : [fence(JSON.stringify(metadata, null, 2), 'json')]),
    `<${address}>\n`,
  ].join('\n\n')
}

function factsOf(issue: Issue): readonly (readonly [string, string])[] {
  const { appVersion, buildNumber, fixedIn, reportCount } = issue
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', STATUS_NAMES[issue.status]],
    ['Priority', PRIORITY_NAMES[issue.priority]],
    ['Category', CATEGORY_NAMES[issue.category]],
    ['Version', appVersion === null ? buildNumber : formatRelease({ appVersion, buildNumber })],
    ['Platform', issue.platform && platformName(issue.platform)],
    ['System', issue.osVersion],
    ['Device', issue.deviceModel],
    ['Branch', issue.branch],
    ['Reported', issue.createdAt],
    ['Reports', reportCount > 1 ? `${reportCount}, the last one ${issue.lastReportedAt}` : null],
    ['Fixed in', fixedIn && formatRelease(fixedIn)],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

/** One line in which every sign stands for itself. */
function escapeMarkdown(text: string): string {
  return text
    .replace(DIRECTION_CONTROLS, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(MARKUP, (sign) => `\\${sign}${sign === '@' || sign === '#' ? ZERO_WIDTH_SPACE : ''}`)
}

/** A block in which nothing is markup: fenced by more backticks than it contains in a row. */
function fence(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const bar = '`'.repeat(longest + 1)
  return `${bar}${language}\n${text}\n${bar}`
}
