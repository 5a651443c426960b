import { type FeatureLimit, isTargeted, MAX_PLATFORM_CHARS } from '@bugle/contract/vocabulary'
import type { AppIssues } from '../../model/projects.ts'

/** Plain numbers, so that every SDK orders app versions the same way. */
const APP_VERSION = /^\d{1,9}(?:\.\d{1,9}){0,3}$/
const MAX_PLATFORMS = 20
const MAX_SHOWN_APPS = 10

/** A limit as entered, not validated yet. */
export type WrittenLimit = Readonly<Record<keyof FeatureLimit, unknown>>

/** The faults in the limit of a feature. */
export function faultsOfLimit(feature: string, written: WrittenLimit): readonly string[] {
  const { minAppVersion: min, maxAppVersion: max, platforms, share } = written
  const limit = `the limit of "${feature}"`
  return [
    ...unless(isBound(min), `${limit}: minAppVersion must be numbers such as 2.4.1`),
    ...unless(isBound(max), `${limit}: maxAppVersion must be numbers such as 2.4.1`),
    ...unless(
      !isBound(min) || !isBound(max) || isInOrder(min, max),
      `${limit}: maxAppVersion is older than minAppVersion`,
    ),
    ...unless(
      platforms === null || (Array.isArray(platforms) && isListOfPlatforms(platforms)),
      `${limit}: platforms must be 1 to ${MAX_PLATFORMS} names such as ios, of at most ${MAX_PLATFORM_CHARS} characters`,
    ),
    ...unless(isWithin(share, 0, 1), `${limit}: share must be a number from 0 to 1`),
  ]
}

/** Who gets a limited feature, according to the apps that issues came from. */
export interface Reach {
  /** Issues that were examined. */
  readonly issues: number
  /** Those that came from apps that match the versions and platforms of the limit. */
  readonly reached: number
  /** The apps that most of these came from. */
  readonly apps: readonly AppIssues[]
  /** The share of the installations of these apps. */
  readonly share: number
}

/** Uses the rule of the SDKs, except for the share, which each installation decides itself. */
export function measureReach(limit: FeatureLimit, issues: readonly AppIssues[]): Reach {
  const reached = issues.filter((app) => isTargeted(limit, app))
  const apps = [...reached].sort((a, b) => b.count - a.count).slice(0, MAX_SHOWN_APPS)
  return { issues: sum(issues), reached: sum(reached), apps, share: limit.share }
}

export function unless(isKept: boolean, rule: string): readonly string[] {
  return isKept ? [] : [rule]
}

export function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

export function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

function isBound(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && APP_VERSION.test(value))
}

function isInOrder(min: string | null, max: string | null): boolean {
  if (min === null || max === null) return true
  return isTargeted(
    { minAppVersion: min, maxAppVersion: null, platforms: null, share: 1 },
    { appVersion: max },
  )
}

function isListOfPlatforms(platforms: readonly unknown[]): boolean {
  return (
    platforms.length > 0 &&
    platforms.length <= MAX_PLATFORMS &&
    platforms.every(
      (name) => typeof name === 'string' && name.trim() !== '' && name.length <= MAX_PLATFORM_CHARS,
    )
  )
}
