import { type FeatureLimit, limitText, shareText } from '@bugle/contract/vocabulary'
import type { Reach } from '../../domain/projects/feature-limits.ts'

/** The text after the value of a feature: who gets it. */
export function recipientsText(limit: FeatureLimit | undefined): string {
  const recipients = limit === undefined ? '' : limitText(limit)
  return recipients === '' ? '' : ` for ${recipients}`
}

/** Who gets the feature, in two sentences. */
export function reachText(feature: string, { issues, reached, apps, share }: Reach, days: number): string {
  const names = apps.map(({ platform, appVersion, count }) => {
    const app = [platform, appVersion].filter((part) => part !== null).join(' ')
    return `${app || 'unknown'} (${count})`
  })
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`
  const who = share === 1 ? 'All' : shareText(share)
  return `${reached} of ${issues} issues in the last ${days} days came from apps that "${feature}" is for${list}. ${who} of their installations get it.`
}
