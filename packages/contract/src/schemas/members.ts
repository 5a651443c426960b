import { type TSchema, Type } from 'typebox'

/** Building blocks of the schemas. `null` is written as a type, not a union: it validates and reads faster. */

/** Free text: anything but NUL, which PostgreSQL cannot store. */
export const WITHOUT_NUL = '^[^\\u0000]*$'
/** Each character can match in only one way: an ambiguous pattern takes minutes to fail on a long text. */
export const WITHOUT_NUL_NOT_BLANK = '^\\s*[^\\s\\u0000][^\\u0000]*$'

interface Documented {
  readonly description: string
  readonly examples?: readonly unknown[]
}

/** Required text that is not only white space. */
export function requiredText(maxLength: number, about: Documented) {
  return Type.String({ minLength: 1, maxLength, pattern: WITHOUT_NUL_NOT_BLANK, ...about })
}

/** Optional text; `null` means absent. */
export function optionalText(maxLength: number, about: Documented) {
  return optional<string>({ type: ['string', 'null'], maxLength, pattern: WITHOUT_NUL, ...about })
}

/** One of a closed list of words, or absent. */
export function optionalChoice<const T extends readonly string[]>(
  values: T,
  { description, absent }: { readonly description: string; readonly absent: T[number] },
) {
  // In the description, because code generators treat a field with `default` as required.
  return optional<T[number]>({
    type: ['string', 'null'],
    enum: [...values, null],
    description: `${description} If absent: \`${absent}\`.`,
  })
}

/** A field of a request that may be absent or `null`, as plain JSON Schema. */
export function optional<T>(schema: Record<string, unknown>) {
  return Type.Optional(Type.Unsafe<T | null>(schema))
}

/** A field of a response: always present, `null` when empty. */
export function nullable<T>(type: string, about: Documented & Record<string, unknown>) {
  return Type.Unsafe<T | null>({ type: [type, 'null'], ...about })
}

export function choice<const T extends readonly string[]>(values: T, about: Documented) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...about })
}

export function timestamp(about: Documented) {
  return Type.String({ format: 'date-time', ...about })
}

export type Release = { appVersion: string; buildNumber: string | null }

/** A release of an app, or `null`. */
export function release(title: string, description: string) {
  return Type.Unsafe<Release | null>({
    type: ['object', 'null'],
    title,
    properties: {
      appVersion: { type: 'string', description: 'Its version.' },
      buildNumber: { type: ['string', 'null'], description: 'Its build number.' },
    },
    required: ['appVersion', 'buildNumber'],
    additionalProperties: false,
    description,
  })
}

/** An object in a response, with exactly these fields. */
export function answerObject<T extends Record<string, TSchema>>(
  properties: T,
  about: { readonly title: string; readonly description?: string; readonly examples?: readonly unknown[] },
) {
  return Type.Object(properties, { additionalProperties: false, ...about })
}
