import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Answer } from './endpoint.ts'

/** Room for two passwords or an address and a password, with every character escaped. */
export const SMALL_BODY_BYTES = 8 * 1024
export const MEDIUM_BODY_BYTES = 16 * 1024
/** Room for a URL of 2,048 characters, all of them escaped. */
export const WEBHOOK_BODY_BYTES = 32 * 1024

/** What a body can be refused for, where one is accepted. */
export const BODY_ERRORS = [
  'malformed-body',
  'content-too-large',
  'unsupported-media-type',
] as const satisfies readonly ErrorCode[]

/** What can be wrong with a key. */
export const KEY_ERRORS = [
  'credentials-required',
  'invalid-credentials',
  'insufficient-scope',
  'secret-key-in-browser',
  'origin-not-allowed',
] as const satisfies readonly ErrorCode[]

export const READ_ERRORS = [...KEY_ERRORS, 'not-found'] as const satisfies readonly ErrorCode[]

/** What can be wrong with the key or the cookie of a change. */
export const CHANGE_ERRORS = [...KEY_ERRORS, 'csrf-header-required'] as const satisfies readonly ErrorCode[]

export const CONDITIONAL = { 'If-None-Match': 'An `ETag` of an earlier answer: 304 while it still holds.' }
export const NOT_MODIFIED: Answer = {
  description: 'What you have is still good.',
  headers: { ETag: 'The tag that matched.' },
}
