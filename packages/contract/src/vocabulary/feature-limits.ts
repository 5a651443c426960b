/** Who gets a feature of the SDK configuration. Every condition that is not `null` must be met. */
export interface FeatureLimit {
  /** The oldest app version that gets it. Both bounds are plain numbers, such as `2.4.1`. */
  readonly minAppVersion: string | null
  /** The newest app version that gets it. */
  readonly maxAppVersion: string | null
  readonly platforms: readonly string[] | null
  /** The share of installations that get it, from 0 to 1. */
  readonly share: number
}

/** The data that a limit is checked against. */
export interface TargetedApp {
  readonly appVersion?: string | null | undefined
  readonly platform?: string | null | undefined
}

/** Whether an app matches the versions and platforms of a limit. An app without a version matches no version range. */
export function isTargeted(limit: FeatureLimit, { appVersion, platform }: TargetedApp): boolean {
  const { minAppVersion, maxAppVersion, platforms } = limit
  return (
    (!platforms || platforms.includes(`${platform}`)) &&
    (!minAppVersion || (!!appVersion && compareToNumbers(appVersion, minAppVersion) >= 0)) &&
    (!maxAppVersion || (!!appVersion && compareToNumbers(appVersion, maxAppVersion) <= 0))
  )
}

/**
 * Whether an installation is in the share of a feature. `draw` is the random number from 0 to 1 that the installation drew once.
 * Raising the share only adds installations, and the shares of two features are independent of each other.
 */
export function isInShare(feature: string, share: number, draw: number): boolean {
  let mixed = (draw * 2 ** 32) | 0
  // Each step is a permutation of the 32-bit numbers, so that every feature reaches exactly its share of them. The added spaces mix in the last letter too.
  for (const char of `${feature}   `) {
    mixed = Math.imul(mixed ^ (char.codePointAt(0) ?? 0), 0x5bd1e995)
    mixed ^= mixed >>> 15
  }
  return (mixed >>> 0) / 2 ** 32 < share
}

/** Who gets a feature, as in "10% of installations, on ios"; empty if that is everyone. */
export function limitText({ minAppVersion, maxAppVersion, platforms, share }: FeatureLimit): string {
  return [
    ...(share === 1 ? [] : [`${shareText(share)} of installations`]),
    ...(minAppVersion === null && maxAppVersion === null ? [] : [versionText(minAppVersion, maxAppVersion)]),
    ...(platforms === null ? [] : [`on ${platforms.join(', ')}`]),
  ].join(', ')
}

/** A share in percent. */
export function shareText(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`
}

function versionText(min: string | null, max: string | null): string {
  if (min === null) return `app version ${max} or older`
  if (max === null) return `app version ${min} or newer`
  return min === max ? `app version ${min}` : `app versions ${min} to ${max}`
}

// Semantic versions have a pre-release after the "-"; in all others "-" only separates numbers.
const LEADING_NUMBERS = /^\d+\.\d+\.\d+(?=-)|^\d+(?:[._\- ()]+\d+)*/

/** The server's version order, for a bound of plain numbers: missing parts count as 0, and a pre-release comes before its release. */
function compareToNumbers(version: string, bound: string): number {
  const [text = ''] = version
    .trim()
    .replace(/^v(?=\d)/i, '')
    .split('+')
  const release = LEADING_NUMBERS.exec(text)?.[0] ?? ''
  const numbers = release.split(/\D+/)
  const bounds = bound.split('.')
  for (let index = 0; index < Math.max(numbers.length, bounds.length); index++) {
    const difference = Number(numbers[index] ?? 0) - Number(bounds[index] ?? 0)
    if (difference) return difference
  }
  return /[^._\- ()]/.test(text.slice(release.length)) ? -1 : 0
}
