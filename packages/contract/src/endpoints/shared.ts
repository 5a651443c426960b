import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Answer } from './endpoint.ts'

/** Room for two passwords or an address and a password, with every character escaped. */
export const SMALL_BODY_BYTES = 8 * 1024
export const MEDIUM_BODY_BYTES = 16 * 1024
/** Room for a URL of 2,048 characters, all of them escaped. */
export const WEBHOOK_BODY_BYTES = 32 * 1024

/** Room for a comment with every character escaped. */
export const COMMENT_BODY_BYTES = 128 * 1024

/** Errors of endpoints that accept a body. */
export const BODY_ERRORS = [
  'malformed-body',
  'content-too-large',
  'unsupported-media-type',
] as const satisfies readonly ErrorCode[]

/** Errors of endpoints that take a key. */
export const KEY_ERRORS = [
  'credentials-required',
  'invalid-credentials',
  'insufficient-scope',
  'secret-key-in-browser',
  'origin-not-allowed',
] as const satisfies readonly ErrorCode[]

export const READ_ERRORS = [...KEY_ERRORS, 'not-found'] as const satisfies readonly ErrorCode[]

/** Errors of endpoints that change something, with a key or a session cookie. */
export const CHANGE_ERRORS = [...KEY_ERRORS, 'csrf-header-required'] as const satisfies readonly ErrorCode[]

export const IF_MATCH = {
  'If-Match':
    'The `ETag` of the issue as you last read it: 412 if it has changed since. Further reports do not count as changes.',
}

export const CONDITIONAL = {
  'If-None-Match': 'The `ETag` of an earlier response: 304 if it is still current.',
}
export const NOT_MODIFIED: Answer = {
  description: 'Not changed since.',
  headers: { ETag: 'The tag that matched.' },
}
