import { VERSION } from '../../version.ts'

/**
 * What every answer carries, also one to bytes that never became a request. A page sets a policy of its own: these are
 * for answers that nobody should run, frame or embed.
 */
export const ANSWER_HEADERS = {
  'bugle-version': VERSION,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const
