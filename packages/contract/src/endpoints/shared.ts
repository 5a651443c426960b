import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Answer } from './endpoint.ts'

/** What a body can be refused for, even one that is not asked for. */
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
