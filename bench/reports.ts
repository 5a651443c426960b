import { CATEGORIES, type IssueSubmission, PRIORITIES } from '@bugle/contract'
import type { Random } from '../packages/server/src/demo/random.ts'
import { someWords } from './texts.ts'

/** The number of days over which the issues of a data set are spread. */
export const HISTORY_DAYS = 60
const OPEN_CATEGORIES = CATEGORIES.filter((category) => category !== 'security')
const PLATFORMS = { ios: 'iOS 26.1', android: 'Android 16', web: 'Windows 11', macos: 'macOS 26' } as const
const DEVICES = ['iPhone 17', 'Pixel 10', 'Galaxy S26', 'MacBook Pro 14', 'ThinkPad X1']

/** A report as an app sends it: about 500 bytes of JSON. */
export function someReport(random: Random, submissionId: string): IssueSubmission {
  const platform = random.pick(Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[])
  const minor = random.integer(0, 9)
  return {
    title: someWords(random, random.integer(4, 8)),
    description: someWords(random, random.integer(16, 30)),
    category: random.chance(0.01) ? 'security' : random.pick(OPEN_CATEGORIES),
    priority: random.pick(PRIORITIES),
    appVersion: `2.${minor}.${random.integer(0, 4)}`,
    buildNumber: String(500 + minor),
    osVersion: PLATFORMS[platform],
    deviceModel: random.pick(DEVICES),
    platform,
    branch: `release/2.${minor}`,
    submissionId,
    metadata: { locale: random.pick(['en-GB', 'de-DE', 'ja-JP']), memoryMb: random.integer(100, 4_000) },
    sdk: { name: 'bugle-js', version: '0.1.0' },
  }
}

/** A fingerprint that some issues of a data set have: one in twenty. */
export function fingerprintOf(issue: number): string | null {
  return issue % 20 === 0 ? `crash-${issue}` : null
}
