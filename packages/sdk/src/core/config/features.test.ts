import { describe, expect, test } from 'vitest'
import type { LimitedFeature, RemoteConfig } from '../types.ts'
import { featuresOf } from './features.ts'

const LIMITED: LimitedFeature = {
  value: true,
  minAppVersion: null,
  maxAppVersion: null,
  platforms: null,
  share: 1,
}
const IOS = { appVersion: '2.4.1', platform: 'ios' }

function configWith(limitedFeatures?: Record<string, LimitedFeature>): RemoteConfig {
  return {
    enabled: true,
    minSdkVersion: null,
    latestSdkVersion: '0.1.0',
    features: { shake: true },
    ...(limitedFeatures && { limitedFeatures }),
    categories: ['bug'],
    crash: { enabled: true, sampleRate: 1 },
    refreshAfterSeconds: 3_600,
  }
}

describe('the features of an installation', () => {
  test('are those for everyone if the server does not support limits', () => {
    expect(featuresOf(configWith(), IOS, 0.5)).toEqual({ shake: true })
  })

  test('include a limited one only for the apps it applies to', () => {
    const config = configWith({ newHome: { ...LIMITED, minAppVersion: '2.4', platforms: ['ios'] } })
    expect(featuresOf(config, IOS, 0.5)).toEqual({ shake: true, newHome: true })
    expect(featuresOf(config, { ...IOS, appVersion: '2.3' }, 0.5)).toEqual({ shake: true })
    expect(featuresOf(config, { ...IOS, platform: 'android' }, 0.5)).toEqual({ shake: true })
    expect(featuresOf(config, {}, 0.5)).toEqual({ shake: true })
  })

  test('are stable for an installation, and differ between installations', () => {
    const config = configWith({ newHome: { ...LIMITED, value: 'large', share: 0.5 } })
    const draws = Array.from({ length: 1_000 }, (_, index) => index / 1_000)
    const homes = (): readonly unknown[] => draws.map((draw) => featuresOf(config, IOS, draw)['newHome'])
    const first = homes()
    expect(homes()).toEqual(first)
    const reached = first.filter((home) => home === 'large').length
    expect(reached).toBeGreaterThan(420)
    expect(reached).toBeLessThan(580)
  })

  test('do not include a feature that has a share of 0', () => {
    const config = configWith({ newHome: { ...LIMITED, share: 0 } })
    expect(featuresOf(config, IOS, 0)).toEqual({ shake: true })
  })
})
