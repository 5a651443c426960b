import { SETTINGS } from '../config.ts'
import { nearestName } from '../nearest-name.ts'

/** Variables with our prefix that are not settings of the server: those of `bugle issues` and of the guides, and those of tests. */
const OTHERS = [
  'BUGLE_URL',
  'BUGLE_KEY',
  'BUGLE_PUBLIC_KEY',
  'BUGLE_WEBHOOK',
  'BUGLE_WEBHOOK_SECRET',
  'BUGLE_QUEUE',
]
const OF_TESTS = /^BUGLE_(?:TEST|FAULTS)(?:_|$)/

/** Each variable that looks like a setting but is not, as a sentence with a suggestion. Its value may be a secret. */
export function findUnknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const settings: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable)
  return Object.keys(environment)
    .filter((name) => name.startsWith('BUGLE_') && !OF_TESTS.test(name))
    .filter((name) => !settings.includes(name) && !OTHERS.includes(name))
    .map((name) => {
      const nearest = nearestName(name, settings)
      return `${name} is not a setting${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`
    })
}
