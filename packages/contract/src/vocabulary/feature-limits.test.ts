import { describe, expect, it } from 'vitest'
import { type FeatureLimit, isInShare, isTargeted } from './feature-limits.ts'

const EVERYONE: FeatureLimit = { minAppVersion: null, maxAppVersion: null, platforms: null, share: 1 }
const INSTALLATIONS = 20_000
const DRAWS = Array.from({ length: INSTALLATIONS }, (_, index) => (index + 0.5) / INSTALLATIONS)

describe('isTargeted', () => {
  it.each([
    ['2.4.0', true],
    ['2.4', true],
    ['v2.4.0', true],
    ['2.4.0+512', true],
    ['2.10.0', true],
    ['2.4.0 (512)', true],
    ['3', true],
    ['3.0.0', true],
    ['2.4.0-beta.1', false],
    ['2.4.0-512', false],
    ['2.4.0b1', false],
    ['2.3.9', false],
    ['1.99', false],
    ['3.0.1', false],
    ['3.0.0.1', false],
    ['dev', false],
    ['', false],
    [undefined, false],
    [null, false],
  ])('from 2.4 to 3.0.0, version %j: %j', (appVersion, expected) => {
    const limit = { ...EVERYONE, minAppVersion: '2.4', maxAppVersion: '3.0.0' }
    expect(isTargeted(limit, { appVersion })).toBe(expected)
  })

  it.each([
    ['ios', true],
    ['android', true],
    ['web', false],
    [undefined, false],
  ])('on iOS and Android, platform %j: %j', (platform, expected) => {
    expect(isTargeted({ ...EVERYONE, platforms: ['ios', 'android'] }, { platform })).toBe(expected)
  })

  it('needs the version and the platform together', () => {
    const limit = { ...EVERYONE, minAppVersion: '2', platforms: ['ios'] }
    expect(isTargeted(limit, { appVersion: '2.0', platform: 'ios' })).toBe(true)
    expect(isTargeted(limit, { appVersion: '2.0', platform: 'web' })).toBe(false)
    expect(isTargeted(limit, { appVersion: '1.9', platform: 'ios' })).toBe(false)
  })

  it('targets every app if there is no bound', () => {
    expect(isTargeted(EVERYONE, {})).toBe(true)
  })
})

describe('isInShare', () => {
  it.each(['newHome', 'a', 'x.y-z_1'])('reaches its share of the installations with %s', (feature) => {
    for (const share of [0, 0.01, 0.1, 0.5, 1]) {
      const reached = DRAWS.filter((draw) => isInShare(feature, share, draw)).length
      expect(Math.abs(reached / INSTALLATIONS - share)).toBeLessThanOrEqual(share % 1 === 0 ? 0 : 0.01)
    }
  })

  it('keeps all earlier installations when the share grows', () => {
    const before = DRAWS.filter((draw) => isInShare('newHome', 0.1, draw))
    expect(before.every((draw) => isInShare('newHome', 0.11, draw))).toBe(true)
  })

  it.each([
    ['newHome', 'newhome'],
    ['a', 'b'],
    ['feature1', 'feature2'],
  ])('does not choose the same installations for %s and %s', (one, other) => {
    const both = DRAWS.filter((draw) => isInShare(one, 0.2, draw) && isInShare(other, 0.2, draw)).length
    expect(both / INSTALLATIONS).toBeGreaterThan(0.02)
    expect(both / INSTALLATIONS).toBeLessThan(0.06)
  })
})
