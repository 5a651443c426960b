import type { FeatureLimit } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { measureReach } from './feature-limits.ts'
import { makeProject } from './projects.ts'
import {
  checkSdkSettings,
  countCutOff,
  showSdkConfig,
  type WrittenSettings,
  withDefaults,
} from './sdk-config.ts'

const SETTINGS = withDefaults(undefined)
const LIMIT: FeatureLimit = { minAppVersion: null, maxAppVersion: null, platforms: null, share: 1 }
const PROJECT = makeProject({
  name: 'Weather',
  slug: 'weather',
  isPublic: false,
  defaultBranch: 'main',
  createdAt: 0,
})

describe('settings of an SDK', () => {
  it('have a default for everything', () => {
    expect(SETTINGS).toEqual({
      enabled: true,
      minSdkVersion: null,
      features: {},
      featureLimits: {},
      crash: { enabled: true, sampleRate: 1 },
      refreshAfterSeconds: 3_600,
    })
    expect(withDefaults({ enabled: false })).toEqual({ ...SETTINGS, enabled: false })
  })

  it.each<[what: string, change: Partial<WrittenSettings>]>([
    ['the defaults', {}],
    ['a version', { minSdkVersion: '1.4.0' }],
    ['a version of one number', { minSdkVersion: '2' }],
    ['a preview', { minSdkVersion: '2.0.0-beta.1+build.7' }],
    ['features of every kind', { features: { 'new-home': true, ratio: 0.5, 'theme.name': 'dark' } }],
    [
      'a feature for some apps',
      {
        features: { home: true },
        featureLimits: { home: { ...LIMIT, minAppVersion: '2.4', platforms: ['ios'] } },
      },
    ],
    ['no crash at all', { crash: { enabled: true, sampleRate: 0 } }],
    ['a minute', { refreshAfterSeconds: 60 }],
  ])('may be %s', (_, change) => {
    expect(checkSdkSettings({ ...SETTINGS, ...change })).toEqual({ settings: { ...SETTINGS, ...change } })
  })

  it.each<[what: string, change: Partial<WrittenSettings>, fault: RegExp]>([
    ['a word for yes', { enabled: 'yes' }, /^enabled must be/],
    ['no version', { minSdkVersion: 'latest' }, /^minSdkVersion must be/],
    ['a version as a number', { minSdkVersion: 1.4 }, /^minSdkVersion must be/],
    ['a version without end', { minSdkVersion: `1.${'0'.repeat(100)}` }, /^minSdkVersion must be/],
    ['a feature without a name', { features: { '': true } }, /^the feature "" needs a name/],
    ['a feature with a space', { features: { 'new home': true } }, /^the feature "new home" needs a name/],
    ['a feature of nothing', { features: { home: null } }, /^the feature "home" must be/],
    [
      'a feature of infinity',
      { features: { home: Number.POSITIVE_INFINITY } },
      /^the feature "home" must be/,
    ],
    ['a feature of a novel', { features: { home: 'x'.repeat(1_025) } }, /^the feature "home" must be/],
    [
      'a limit by a pre-release',
      { featureLimits: { home: { ...LIMIT, minAppVersion: '2.0-beta' } } },
      /^the limit of "home": minAppVersion must be numbers/,
    ],
    [
      'a limit by a word',
      { featureLimits: { home: { ...LIMIT, maxAppVersion: 'latest' } } },
      /^the limit of "home": maxAppVersion must be numbers/,
    ],
    [
      'a range that is empty',
      { featureLimits: { home: { ...LIMIT, minAppVersion: '2.10', maxAppVersion: '2.9' } } },
      /^the limit of "home": maxAppVersion is older/,
    ],
    [
      'a feature for no platform',
      { featureLimits: { home: { ...LIMIT, platforms: [] } } },
      /^the limit of "home": platforms must be/,
    ],
    [
      'a feature for more than everyone',
      { featureLimits: { home: { ...LIMIT, share: 10 } } },
      /^the limit of "home": share must be/,
    ],
    ['too many features', { features: featuresNamed(51) }, /at most 50 features/],
    ['more than all crashes', { crash: { enabled: true, sampleRate: 1.1 } }, /^crash.sampleRate must be/],
    [
      'a share that is not a number',
      { crash: { enabled: true, sampleRate: Number.NaN } },
      /^crash.sampleRate must be/,
    ],
    ['crashes perhaps', { crash: { enabled: 'perhaps', sampleRate: 1 } }, /^crash.enabled must be/],
    ['every second', { refreshAfterSeconds: 1 }, /^refreshAfterSeconds must be/],
    ['half seconds', { refreshAfterSeconds: 90.5 }, /^refreshAfterSeconds must be/],
    ['once a month', { refreshAfterSeconds: 30 * 86_400 }, /^refreshAfterSeconds must be/],
  ])('may not be %s', (_, change, fault) => {
    expect(checkSdkSettings({ ...SETTINGS, ...change }).faults).toEqual([expect.stringMatching(fault)])
  })

  it('have all their faults reported at once', () => {
    const written = { ...SETTINGS, enabled: 1, minSdkVersion: '', refreshAfterSeconds: -1 }
    expect(checkSdkSettings(written).faults).toHaveLength(3)
  })
})

describe('a limited feature', () => {
  it('is separate from the features that older SDKs apply', () => {
    const settings = { ...SETTINGS, features: { home: 'new', shake: true } }
    const featureLimits = { home: { ...LIMIT, share: 0.1 }, gone: LIMIT }
    expect(showSdkConfig(PROJECT, { ...settings, featureLimits })).toMatchObject({
      features: { shake: true },
      limitedFeatures: { home: { ...LIMIT, value: 'new', share: 0.1 } },
    })
    expect(showSdkConfig(PROJECT, { ...settings, featureLimits }).features).not.toHaveProperty('home')
    expect(showSdkConfig(PROJECT, settings)).toMatchObject({
      features: settings.features,
      limitedFeatures: {},
    })
  })

  it('applies to the apps of its versions and platforms', () => {
    const issues = [
      { appVersion: '2.4.0', platform: 'ios', count: 5 },
      { appVersion: '2.10', platform: 'ios', count: 7 },
      { appVersion: '2.4.0', platform: 'web', count: 11 },
      { appVersion: '2.3.9', platform: 'ios', count: 13 },
      { appVersion: null, platform: 'ios', count: 17 },
    ]
    const limit = { ...LIMIT, minAppVersion: '2.4', platforms: ['ios'], share: 0.1 }
    expect(measureReach(limit, issues)).toEqual({
      issues: 53,
      reached: 12,
      apps: [issues[1], issues[0]],
      share: 0.1,
    })
    expect(measureReach({ ...limit, platforms: ['tvos'] }, issues)).toMatchObject({ reached: 0, apps: [] })
  })
})

describe('a minimum version', () => {
  it.each([
    ['0.1.0', 0],
    ['0.9.1', 5],
    ['1.0.0', 8],
    ['1.10.0', 19],
    ['2.0.0', 31],
  ])('of %s excludes %i reports', (minimum, cutOff) => {
    const reports = [
      { version: '0.9.0', count: 5 },
      { version: '1.0.0-beta.1', count: 3 },
      { version: '1.9.0', count: 11 },
      { version: 'v1.10.0', count: 12 },
      { version: 'other', count: 40 },
      { version: 'dev', count: 1 },
    ]
    expect(countCutOff(reports, minimum)).toEqual({ cutOff, reports: 72 })
  })

  it('excludes nothing if there are no reports', () => {
    expect(countCutOff([], '1.0.0')).toEqual({ cutOff: 0, reports: 0 })
  })
})

function featuresNamed(count: number): Record<string, boolean> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`feature${index}`, true]))
}
