import { hash } from 'node:crypto'
import type { NewReport, ReportContent } from './reports.ts'

/** Half of a SHA-256 is enough to distinguish contents, and is stored with every submission. */
const DIGEST_DIGITS = 32
/** The prefix of the digest. A hash of 0.1.0 has none and is recognised by its length. */
const VERSION = '02'

/**
 * Equal for equal content. Covers only what is present, by name: a field that is added later does not change the hash of
 * a submission without it, so a retry after the upgrade is still the same submission.
 */
export function hashContent(
  content: ReportContent & {
    readonly exception?: unknown
    readonly attachments?: unknown
    readonly knownIssueId?: unknown
  },
): string {
  return VERSION + digest(presentMembers(content))
}

/** Whether a stored hash, from this release or an earlier one, matches the content. */
export function isSameContent(
  storedHash: string,
  { content, submission }: Pick<NewReport, 'content' | 'submission'>,
): boolean {
  if (storedHash === submission?.contentHash) return true
  return storedHash.length === DIGEST_DIGITS && saysNothingNew(content) && storedHash === hashOf010(content)
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, DIGEST_DIGITS)
}

/** Names and values, sorted by name. */
function presentMembers(value: object): readonly (readonly [name: string, value: unknown])[] {
  const members: (readonly [name: string, value: unknown])[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue
    members.push([name, typeof member === 'object' ? presentMembers(member) : member])
  }
  return members.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** In the order in which 0.1.0 hashed them, absent ones as `null`. Never changed: stored hashes depend on it. */
const MEMBERS_OF_010 = [
  'title',
  'description',
  'category',
  'priority',
  'appVersion',
  'buildNumber',
  'osVersion',
  'deviceModel',
  'platform',
  'branch',
  'fingerprint',
  'occurredAt',
  'metadata',
  'sdk',
] as const satisfies readonly (keyof ReportContent)[]

/** 0.1.0 refused unknown fields, so it stored no hash with them. */
function saysNothingNew(content: ReportContent): boolean {
  return Object.entries(content).every(([name, value]) => value === null || isFieldOf010(name))
}

/** Whether release 0.1.0 knew this field of a report. */
export function isFieldOf010(name: string): boolean {
  return (MEMBERS_OF_010 as readonly string[]).includes(name)
}

function hashOf010(content: ReportContent): string {
  return digest(Object.fromEntries(MEMBERS_OF_010.map((name) => [name, content[name]])))
}
