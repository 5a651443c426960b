import type { FeatureLimit } from '@bugle/contract/vocabulary'
import type { Reach } from '../../domain/projects/feature-limits.ts'

/** The text after the value of a feature: who gets it. */
export function limitText(limit: FeatureLimit | undefined): string {
  if (limit === undefined) return ''
  const { minAppVersion, maxAppVersion, platforms, share } = limit
  const parts = [
    ...(share === 1 ? [] : [`${percent(share)} of installations`]),
    ...(minAppVersion === null && maxAppVersion === null ? [] : [versionText(minAppVersion, maxAppVersion)]),
    ...(platforms === null ? [] : [`on ${platforms.join(', ')}`]),
  ]
  return parts.length === 0 ? '' : ` for ${parts.join(', ')}`
}

/** Who gets the feature, in two sentences. */
export function reachText(feature: string, { issues, reached, apps, share }: Reach, days: number): string {
  const names = apps.map(({ platform, appVersion, count }) => {
    const app = [platform, appVersion].filter((part) => part !== null).join(' ')
    return `${app || 'unknown'} (${count})`
  })
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`
  const who = share === 1 ? 'All' : percent(share)
  return `${reached} of ${issues} issues in the last ${days} days came from apps that "${feature}" is for${list}. ${who} of their installations get it.`
}

function versionText(min: string | null, max: string | null): string {
  if (min === null) return `app version ${max} or older`
  if (max === null) return `app version ${min} or newer`
  return min === max ? `app version ${min}` : `app versions ${min} to ${max}`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`
}
