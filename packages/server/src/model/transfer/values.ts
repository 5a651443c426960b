import { ISSUE_STATUSES, type IssueStatus, MAX_DESCRIPTION_CHARS } from '@bugle/contract/vocabulary'
import { type TSchema, Type } from 'typebox'
import type { IdPrefix } from '../ids.ts'

/** Building blocks of the lines. Bounds are those of the columns, so that a line that passes can be stored. */

/** No NUL and no half of a surrogate pair: neither database stores them. */
const STORABLE = '^[^\\u0000\\p{Cs}]*$'
/** For values without their own limit in the API. */
export const MAX_OTHER_CHARS = 4_096
export const MAX_LIST_ITEMS = 10_000
const MAX_DATE_MS = 8.64e15
const MAX_INT32 = 2 ** 31 - 1
const MAX_POSITION = 2 ** 32 - 1

export const time = Type.Integer({ minimum: -MAX_DATE_MS, maximum: MAX_DATE_MS })
export const count = Type.Integer({ minimum: 0, maximum: MAX_INT32 })
/** Counts from 1. */
export const positiveInteger = Type.Integer({ minimum: 1, maximum: MAX_INT32 })
export const position = Type.Integer({ minimum: 0, maximum: MAX_POSITION })
export const whole = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const day = Type.String({ pattern: '^\\d{4,6}-\\d\\d-\\d\\d$' })
export const primitive = Type.Union([text(MAX_DESCRIPTION_CHARS), Type.Number(), Type.Boolean()])
export const lane = choice(['open', 'security', 'spam', 'security_spam'])
export const status = choice<readonly IssueStatus[]>(ISSUE_STATUSES)
/** In hexadecimal. */
export const hash = Type.String({ pattern: '^(?:[0-9a-f]{2}){16,32}$' })
/** In hexadecimal. */
export const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const natural = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const passwordHash = Type.String({ format: 'password-hash' })

export function text(maxLength: number) {
  return Type.String({ maxLength, pattern: STORABLE })
}

/** An address that a page may link to. */
export function webUrl(maxLength: number) {
  return Type.String({ maxLength, pattern: '^https?://[^\\u0000\\p{Cs}]*$' })
}

export function id<P extends IdPrefix>(prefix: P) {
  return Type.Unsafe<`${P}_${string}`>({ type: 'string', format: `${prefix}-id` })
}

export function choice<const T extends readonly string[]>(values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
}

export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** Exactly these fields. */
export function object<T extends Record<string, TSchema>>(members: T) {
  return Type.Object(members, { additionalProperties: false })
}

/** A flat object with arbitrary names. */
export function entries<T extends TSchema>(value: T, maxProperties: number, maxNameChars: number) {
  return Type.Record(text(maxNameChars), value, { maxProperties })
}
