import { type TSchema, Type } from 'typebox'

/** Building blocks of the schemas. `null` is written as a type, not a union: it validates and reads faster. */

/** Free text: anything but NUL, which no database of ours stores. */
const WITHOUT_NUL = '^[^\\u0000]*$'
/** Each character has one place in it: a pattern that can be matched in many ways takes minutes to fail on a long text. */
const WITHOUT_NUL_NOT_BLANK = '^\\s*[^\\s\\u0000][^\\u0000]*$'

interface Documented {
  readonly description: string
  readonly examples?: readonly unknown[]
}

/** Text that must be there and must not be only white space. */
export function requiredText(maxLength: number, about: Documented) {
  return Type.String({ minLength: 1, maxLength, pattern: WITHOUT_NUL_NOT_BLANK, ...about })
}

/** Text that may be absent; `null` is the same. */
export function optionalText(maxLength: number, about: Documented) {
  return optional<string>({ type: ['string', 'null'], maxLength, pattern: WITHOUT_NUL, ...about })
}

/** One of a closed list of words, or absent. */
export function optionalChoice<const T extends readonly string[]>(
  values: T,
  { description, absent }: { readonly description: string; readonly absent: T[number] },
) {
  // Said in words: generators of clients take a member with `default` for one that must be sent.
  return optional<T[number]>({
    type: ['string', 'null'],
    enum: [...values, null],
    description: `${description} If absent: \`${absent}\`.`,
  })
}

/** A member of a request that may be left out or be `null`, written as plain JSON Schema. */
export function optional<T>(schema: Record<string, unknown>) {
  return Type.Optional(Type.Unsafe<T | null>(schema))
}

/** A member of an answer: always present, `null` when empty. */
export function nullable<T>(type: string, about: Documented & Record<string, unknown>) {
  return Type.Unsafe<T | null>({ type: [type, 'null'], ...about })
}

export function choice<const T extends readonly string[]>(values: T, about: Documented) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...about })
}

export function timestamp(about: Documented) {
  return Type.String({ format: 'date-time', ...about })
}

/** An object of an answer: exactly these members. */
export function answerObject<T extends Record<string, TSchema>>(
  properties: T,
  about: { readonly title: string; readonly description?: string; readonly examples?: readonly unknown[] },
) {
  return Type.Object(properties, { additionalProperties: false, ...about })
}
