import { describe, expect, it } from 'vitest'
import { checkSdkSettings, countCutOff, type WrittenSettings, withDefaults } from './sdk-config.ts'

const SETTINGS = withDefaults(undefined)

describe('settings of an SDK', () => {
  it('have a default for everything', () => {
    expect(SETTINGS).toEqual({
      enabled: true,
      minSdkVersion: null,
      features: {},
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
    ['too many features', { features: featuresNamed(51) }, /at most 50 features/],
    ['more than all crashes', { crash: { enabled: true, sampleRate: 1.1 } }, /^crash.sampleRate must be/],
    [
      'a share that is no number',
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

  it('are told all their faults at once', () => {
    const written = { ...SETTINGS, enabled: 1, minSdkVersion: '', refreshAfterSeconds: -1 }
    expect(checkSdkSettings(written).faults).toHaveLength(3)
  })
})

describe('a minimum version', () => {
  it.each([
    ['0.1.0', 0],
    ['0.9.1', 5],
    ['1.0.0', 8],
    ['1.10.0', 19],
    ['2.0.0', 31],
  ])('of %s cuts off %i reports', (minimum, cutOff) => {
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

  it('cuts off nothing where nothing came', () => {
    expect(countCutOff([], '1.0.0')).toEqual({ cutOff: 0, reports: 0 })
  })
})

function featuresNamed(count: number): Record<string, boolean> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`feature${index}`, true]))
}
