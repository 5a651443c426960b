import { VERSION } from '../../version.ts'

/**
 * Headers of every response, also of responses to malformed requests. Pages set their own policy: these are
 * for responses that must not be executed, framed or embedded.
 */
export const ANSWER_HEADERS = {
  'bugle-version': VERSION,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const
