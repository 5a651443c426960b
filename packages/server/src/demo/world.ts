import type { Random } from './random.ts'

/** The world of the fictional app "Larder": its releases, and the devices that people run them on. */

export const DAY_MS = 24 * 60 * 60 * 1_000

export interface Release {
  readonly index: number
  readonly appVersion: string
  readonly buildNumber: string
  readonly branch: string
  /** When it was released. */
  readonly at: number
}

const VERSIONS = [
  ...['3.0.2', '3.1.0', '3.1.1', '3.2.0', '3.2.1', '3.3.0', '3.3.1', '3.3.2'],
  ...['3.4.0', '3.5.0', '3.5.1', '3.6.0', '4.0.0-beta.1', '4.0.0', '4.0.1', '4.1.0'],
]
/** One release precedes the story, and two follow it, because pending fixes refer to them. */
const OUTSIDE = 3

/** The releases of the app, oldest first, spread over the days up to now and a little beyond. */
export function planReleases(now: number, days: number): readonly Release[] {
  const spacing = (days * DAY_MS) / (VERSIONS.length - OUTSIDE)
  return VERSIONS.map((appVersion, index) => ({
    index,
    appVersion,
    buildNumber: String(2_040 + index * 13 + (index % 3)),
    branch: appVersion.includes('-') ? 'main' : `release/${appVersion.split('.', 2).join('.')}`,
    at: Math.round(now - days * DAY_MS + (index - 1) * spacing),
  }))
}

/** The installed release at that time: mostly the newest release, sometimes an older one. */
export function pickRelease(random: Random, releases: readonly Release[], at: number): Release {
  const out = releases.filter((release) => release.at <= at)
  const age = Math.floor(random.fraction() ** 2.5 * Math.min(out.length, 6))
  return out[out.length - 1 - age] ?? random.pick(releases)
}

/** The app and device that a report comes from. */
export interface Device {
  readonly platform: string
  readonly osVersion: string
  readonly deviceModel: string
}

const PLATFORM_WEIGHTS = { ios: 35, android: 30, web: 20, macos: 7, windows: 5, linux: 2, watchos: 1 }
export type Platform = keyof typeof PLATFORM_WEIGHTS

const SYSTEMS: Readonly<Record<Platform, readonly string[]>> = {
  ios: ['iOS 26.1', 'iOS 26.0.1', 'iOS 18.7', 'iPadOS 26.1'],
  android: ['Android 16', 'Android 15', 'Android 14', 'Android 12'],
  web: ['Firefox 145 on Windows 11', 'Chrome 142 on macOS 26', 'Safari 26 on iPadOS 26', 'Edge 142'],
  macos: ['macOS 26.1', 'macOS 15.7'],
  windows: ['Windows 11 25H2', 'Windows 10 22H2'],
  linux: ['Fedora 43', 'Ubuntu 24.04'],
  watchos: ['watchOS 26.1'],
}

const MODELS: Readonly<Record<Platform, readonly string[]>> = {
  ios: ['iPhone 17', 'iPhone 16 Pro', 'iPhone 15', 'iPhone 13 mini', 'iPad Air (M3)'],
  android: ['Pixel 10', 'Pixel 8a', 'Galaxy S25', 'Galaxy A55', 'Fairphone 6', 'OnePlus 13'],
  web: ['Desktop', 'Laptop', 'Kitchen tablet'],
  macos: ['MacBook Air (M4)', 'Mac mini (M2)'],
  windows: ['ThinkPad X1', 'Surface Laptop 7'],
  linux: ['Framework Laptop 13'],
  watchos: ['Apple Watch Series 11'],
}

/** A platform; one of these, if the story requires it. */
export function pickPlatform(random: Random, platforms?: readonly Platform[]): Platform {
  return platforms === undefined ? random.pickWeighted(PLATFORM_WEIGHTS) : random.pick(platforms)
}

/** A device of the platform. */
export function pickDevice(random: Random, platform: Platform): Device {
  return { platform, osVersion: random.pick(SYSTEMS[platform]), deviceModel: random.pick(MODELS[platform]) }
}

/** Other information that an app sends about its environment. */
export function pickMetadata(random: Random): Record<string, string | number | boolean> {
  return {
    locale: random.pick(['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-MX', 'ja-JP', 'pt-BR', 'pl-PL']),
    plan: random.pick(['free', 'free', 'free', 'plus', 'family']),
    isOnline: random.chance(0.85),
    recipes: random.integer(3, 900),
    ...(random.chance(0.4) && { freeMemoryMb: random.integer(80, 4_000) }),
    ...(random.chance(0.3) && { theme: random.pick(['light', 'dark', 'system']) }),
  }
}
