import { describe, expect, it } from 'vitest'
import { judgeRegression, type ReportedRelease, type Resolution } from './judge-regression.ts'

const RESOLVED_AT = Date.UTC(2026, 10, 5, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** "2.4.1 (512) ios" as version, build and platform; each may be missing. */
function release(words: string) {
  const [, appVersion, buildNumber, platform] = /^(.*?)(?: \((.*)\))?(?: (ios|android))?$/s.exec(words) ?? []
  return { appVersion: appVersion || null, buildNumber: buildNumber ?? null, platform: platform ?? null }
}

function resolution(fix: string): Resolution {
  const { appVersion, buildNumber, platform } = release(fix)
  return {
    fixedIn: appVersion === null ? null : { appVersion, buildNumber },
    platform,
    resolvedAt: RESOLVED_AT,
  }
}

/** Received a day after the resolution, unless the case is about time. */
function report(words: string, times: Partial<ReportedRelease> = {}): ReportedRelease {
  return { ...release(words), occurredAt: null, receivedAt: RESOLVED_AT + DAY, ...times }
}

const occurred = (afterResolution: number) => ({ occurredAt: RESOLVED_AT + afterResolution })
const received = (afterResolution: number) => ({ receivedAt: RESOLVED_AT + afterResolution })

const [LATE, REGRESSION] = ['a late report', 'a regression']
type Case = [rule: string, fix: string, report: ReportedRelease, verdict: string, reason: string]

// If only the order of versions matters, the sentence is one of these two.
const older = (a: string, b: string) => `${a} is older than the fix, ${b}: a late report.`
const notOlder = (a: string, b: string) => `${a} is not older than the fix, ${b}.`
const byVersion = (rule: string, a: string, verdict: string, b: string): Case => [
  rule,
  b,
  report(a),
  verdict,
  verdict === LATE ? older(a, b) : notOlder(a, b),
]

const OCCURRED_LATER =
  'It occurred at 2026-11-06T11:00:00.000Z, not before the resolution at 2026-11-05T12:00:00.000Z.'
const OCCURRED_BEFORE =
  'It occurred at 2026-11-05T11:00:00.000Z, before the resolution at 2026-11-05T12:00:00.000Z: a late report.'
const ARRIVED_LATER =
  'It arrived at 2026-11-06T12:00:00.000Z, not before the resolution at 2026-11-05T12:00:00.000Z.'
const ARRIVED_BEFORE =
  'It arrived at 2026-11-05T11:00:00.000Z, before the resolution at 2026-11-05T12:00:00.000Z: a late report.'
const OTHER_PLATFORM = 'The fix is for ios, not android.'

const cases: Case[] = [
  [
    'the example of the design',
    '2.4.0 (498)',
    report('2.4.1 (512)'),
    REGRESSION,
    '2.4.1 (512) is not older than the fix, 2.4.0 (498).',
  ],
  byVersion('semver: an older patch', '2.3.9 (480)', LATE, '2.4.0 (498)'),
  byVersion('semver: tenth minor', '2.10.0', REGRESSION, '2.9.0'),
  byVersion('semver: ninth minor', '2.9.0', LATE, '2.10.0'),
  byVersion('semver: a leading v', 'v2.4.0', REGRESSION, '2.4.0'),
  byVersion('semver: build metadata is ignored', '2.4.0+1', REGRESSION, '2.4.0+2'),
  byVersion('a missing part is 0', '2.4', REGRESSION, '2.4.0'),
  byVersion('pre-release of the fix', '2.4.0-rc.1', LATE, '2.4.0'),
  byVersion('release of a fixed pre-release', '2.4.0', REGRESSION, '2.4.0-rc.1'),
  byVersion('an earlier pre-release', '2.4.0-beta.2', LATE, '2.4.0-beta.11'),
  byVersion('pre-release after the fix', '2.5.0-alpha', REGRESSION, '2.4.0'),
  byVersion('pre-release in two parts', '2.4-beta', LATE, '2.4.0'),
  byVersion('four parts: older', '2.4.0.9', LATE, '2.4.0.10'),
  byVersion('four parts: newer', '2.4.0.1', REGRESSION, '2.4.0'),
  byVersion('dates: older', '2026.9.30', LATE, '2026.11.05'),
  byVersion('dates: the same', '2026.11.05', REGRESSION, '2026.11.5'),
  byVersion('dates without points', '20261106', REGRESSION, '20261105'),
  byVersion('equal version, older build', '2.4.0 (497)', LATE, '2.4.0 (498)'),
  byVersion('equal version, build with fewer digits', '2.4.0 (99)', LATE, '2.4.0 (100)'),
  byVersion('equal version, same build', '2.4.0 (498)', REGRESSION, '2.4.0 (498)'),
  byVersion('equal version, newer build', '2.4.0 (499)', REGRESSION, '2.4.0 (498)'),
  byVersion('equal version, build not reported', '2.4.0', REGRESSION, '2.4.0 (498)'),
  byVersion('equal version, build of the fix unknown', '2.4.0 (1)', REGRESSION, '2.4.0'),
  byVersion('equal version, build without a number', '2.4.0 (dev)', REGRESSION, '2.4.0 (498)'),
  byVersion('older version, newer build', '2.3.0 (600)', LATE, '2.4.0 (498)'),
  [
    'a blank build is not named',
    '2.4.0 (498)',
    report('2.4.0 ( )'),
    REGRESSION,
    notOlder('2.4.0', '2.4.0 (498)'),
  ],
  [
    'the version counts, not the time',
    '2.4.0',
    report('2.4.1', occurred(-HOUR)),
    REGRESSION,
    notOlder('2.4.1', '2.4.0'),
  ],
  [
    'an old version stays late for ever',
    '2.4.0',
    report('2.3.0', received(900 * DAY)),
    LATE,
    older('2.3.0', '2.4.0'),
  ],
  ['no fix recorded, after', '', report('2.4.1'), REGRESSION, ARRIVED_LATER],
  ['no fix recorded, offline since before', '', report('2.4.1', occurred(-HOUR)), LATE, OCCURRED_BEFORE],
  ['no version reported, after', '2.4.0', report('', occurred(23 * HOUR)), REGRESSION, OCCURRED_LATER],
  ['no version reported, offline since before', '2.4.0', report('', occurred(-HOUR)), LATE, OCCURRED_BEFORE],
  ['no version, only a build', '2.4.0 (498)', report(' (12)'), REGRESSION, ARRIVED_LATER],
  ['a version that is not a number', '2.4.0', report('unknown'), REGRESSION, ARRIVED_LATER],
  ['a fix that is not a number', 'nightly', report('2.4.0', occurred(-HOUR)), LATE, OCCURRED_BEFORE],
  [
    'in the moment of the resolution',
    '',
    report('', { ...occurred(0), ...received(0) }),
    REGRESSION,
    'It occurred at 2026-11-05T12:00:00.000Z, not before the resolution at 2026-11-05T12:00:00.000Z.',
  ],
  [
    'a millisecond before',
    '',
    report('', occurred(-1)),
    LATE,
    'It occurred at 2026-11-05T11:59:59.999Z, before the resolution at 2026-11-05T12:00:00.000Z: a late report.',
  ],
  ['a report that overtook the resolution', '', report('', received(-HOUR)), LATE, ARRIVED_BEFORE],
  ['a clock that is ahead is not believed', '', report('', occurred(900 * DAY)), REGRESSION, ARRIVED_LATER],
  [
    'a clock that is ahead causes no regression',
    '',
    report('', { ...occurred(DAY), ...received(-HOUR) }),
    LATE,
    ARRIVED_BEFORE,
  ],
  [
    'a clock that is behind is believed',
    '',
    report('', { occurredAt: 0 }),
    LATE,
    'It occurred at 1970-01-01T00:00:00.000Z, before the resolution at 2026-11-05T12:00:00.000Z: a late report.',
  ],
  ['the same platform', '2.4.0 ios', report('2.3.0 ios'), LATE, older('2.3.0', '2.4.0')],
  ['an unknown platform', '2.4.0 ios', report('2.3.0'), LATE, older('2.3.0', '2.4.0')],
  [
    'another platform, after',
    '2.4.0 ios',
    report('2.3.0 android'),
    REGRESSION,
    `${OTHER_PLATFORM} ${ARRIVED_LATER}`,
  ],
  [
    'another platform, before',
    '2.4.0 ios',
    report('9.0 android', occurred(-HOUR)),
    LATE,
    `${OTHER_PLATFORM} ${OCCURRED_BEFORE}`,
  ],
  byVersion('hostile: markup and SQL', `3'; DROP TABLE issues;--<script>`, REGRESSION, '2.4.0'),
  byVersion('hostile: patterns of replace()', '$& $1 $$ 2', LATE, '2.4.0'),
  byVersion('hostile: a control character', '3\u001b[31m', REGRESSION, '2.4.0'),
  byVersion('hostile: sixty digits', '9'.repeat(60), REGRESSION, '2.4.0'),
  byVersion('hostile: not a number after all', '1e999', LATE, '2.4.0'),
]

describe('a report on a resolved issue', () => {
  it.each(cases)('%s', (_, fix, reported, verdict, reason) => {
    expect(judgeRegression(resolution(fix), reported)).toEqual({
      isRegression: verdict === REGRESSION,
      reason,
    })
    expect(reason).toMatch(/\.$/)
  })
})
