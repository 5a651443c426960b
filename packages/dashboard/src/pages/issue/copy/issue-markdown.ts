import type { Issue } from '@bugle/contract'
import { CATEGORY_NAMES, PRIORITY_NAMES, platformName, STATUS_NAMES } from '../../../ui/words.ts'
import { formatRelease } from '../releases.ts'

/** They would turn around what stands after them, where nothing keeps them in. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Words of which another tracker makes a link, a mention or a reference: `https://…`, `@team`, `#7`, `!7`, `GH-7`. */
const LINKED = /@|:\/\/|www\.|[#!~%$&]\d|\bGH-\d/i
/** What would be markup where it stands. Letters around `_`, and spaces around `<`, keep them plain. */
const MARKUP =
  /[`*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\](?=[([:])|<(?=[\p{L}/!?])|&(?=#?\w+;)|\\(?=[!-/:-@[-`{-~])|^#+$/gu

/** An issue for another tracker or a chat. Nothing that was reported becomes markup, a link or a mention there. */
export function issueMarkdown(issue: Issue, address: string): string {
  const facts = factsOf(issue).map(([name, value]) => `- **${name}:** ${escapeMarkdown(value)}`)
  const { description, metadata } = issue
  return [
    // As the text of a link, the number is not taken for an issue of the other tracker.
    `## [#${issue.issueNumber}](${address}) ${escapeMarkdown(issue.title)}`,
    facts.join('\n'),
    ...(description === null ? [] : [fence(description)]),
    ...(metadata === null || Object.keys(metadata).length === 0
      ? []
      : [fence(JSON.stringify(metadata, null, 2), 'json')]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
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

/** One line in which every sign stands for itself, with as few marks as that takes. */
function escapeMarkdown(text: string): string {
  const words = text.replace(DIRECTION_CONTROLS, '').trim().split(/\s+/)
  return words.map((word) => (LINKED.test(word) ? codeSpan(word) : word.replace(MARKUP, '\\$&'))).join(' ')
}

function codeSpan(word: string): string {
  const bar = barLongerThanIn(word, 0)
  return word.includes('`') ? `${bar} ${word} ${bar}` : bar + word + bar
}

/** A block in which nothing is markup: fenced by more backticks than it contains in a row. */
function fence(text: string, language = 'text'): string {
  const bar = barLongerThanIn(text, 2)
  return `${bar}${language}\n${text}\n${bar}`
}

/** More backticks than the text has in a row. */
function barLongerThanIn(text: string, least: number): string {
  const longest = Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
