import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Answer } from './endpoint.ts'

/** What can be wrong with a key. */
export const KEY_ERRORS = [
  'credentials-required',
  'invalid-credentials',
  'insufficient-scope',
  'secret-key-in-browser',
  'origin-not-allowed',
] as const satisfies readonly ErrorCode[]

export const READ_ERRORS = [...KEY_ERRORS, 'not-found'] as const satisfies readonly ErrorCode[]

export const CONDITIONAL = { 'If-None-Match': 'An `ETag` of an earlier answer: 304 while it still holds.' }
export const NOT_MODIFIED: Answer = {
  description: 'What you have is still good.',
  headers: { ETag: 'The tag that matched.' },
}
