import type { Issue } from '@bugle/contract'
import { CATEGORY_NAMES, PRIORITY_NAMES, platformName, STATUS_NAMES } from '../../../ui/words.ts'
import { formatRelease } from '../releases.ts'

/** Direction controls would reverse the text after them. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Words that another tracker turns into a link, a mention or a reference: `https://…`, `@team`, `#7`, `!7`, `GH-7`. */
const LINKED = /@|:\/\/|www\.|[#!~%$&]\d|\bGH-\d/i
/** Characters that would be markup in their position. `_` between letters and `<` between spaces are plain text. */
const MARKUP =
  /[`*~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|\](?=[([:])|<(?=[\p{L}/!?])|&(?=#?\w+;)|\\(?=[!-/:-@[-`{-~])|^#+$/gu

/** An issue for another tracker or a chat. No reported text becomes markup, a link or a mention there. */
export function issueMarkdown(issue: Issue, address: string): string {
  const facts = factsOf(issue).map(([name, value]) => `- **${name}:** ${escapeMarkdown(value)}`)
  const { description, metadata } = issue
  return [
    // As a link text, the number is not interpreted as an issue of the other tracker.
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
    ['OS', issue.osVersion],
    ['Device', issue.deviceModel],
    ['Branch', issue.branch],
    ['Last version', reportCount > 1 ? issue.lastSeenIn && formatRelease(issue.lastSeenIn) : null],
    ['Reported', issue.createdAt],
    ['Reports', reportCount > 1 ? `${reportCount}, last at ${issue.lastReportedAt}` : null],
    ['Fixed in', fixedIn && formatRelease(fixedIn)],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

/** One line of literal text, with as few escapes as possible. */
function escapeMarkdown(text: string): string {
  const words = text.replace(DIRECTION_CONTROLS, '').trim().split(/\s+/)
  return words.map((word) => (LINKED.test(word) ? codeSpan(word) : word.replace(MARKUP, '\\$&'))).join(' ')
}

function codeSpan(word: string): string {
  const bar = barLongerThanIn(word, 0)
  return word.includes('`') ? `${bar} ${word} ${bar}` : bar + word + bar
}

/** A literal block, fenced with more backticks than it contains in a row. */
function fence(text: string, language = 'text'): string {
  const bar = barLongerThanIn(text, 2)
  return `${bar}${language}\n${text}\n${bar}`
}

/** More backticks than the text has in a row. */
function barLongerThanIn(text: string, least: number): string {
  const longest = Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
