import { IDEMPOTENCY_KEY_PATTERN, SUBMISSION_ID_PATTERN } from '@bugle/contract'
import type { JsonSchema } from '../../openapi/openapi-document.ts'
import { type Fragment, html } from '../page.ts'
import { codeList } from '../prose.ts'

/** The type of a schema in words: `string or null`, `array of date-time`. */
export function typeWords(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeWords).join(' or ')
  if (schema.items !== undefined) return `array of ${typeWords(schema.items)}`
  if (schema.type === 'string') return schema.format ?? schema.type
  return [schema.type ?? 'any value'].flat().join(' or ')
}

/** The constraints of a value, beyond its type. */
export function limitWords(schema: JsonSchema): readonly Fragment[] {
  const limits = [schema, ...(schema.anyOf ?? [])].flatMap(limitsOf)
  return limits.map((limit, index) => (index === 0 ? limit : ['; ', limit]))
}

function limitsOf(schema: JsonSchema): readonly Fragment[] {
  return [
    ...choices(schema),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...range(undefined, schema.maxProperties, ' fields'),
    ...range(schema.propertyNames?.minLength, schema.propertyNames?.maxLength, ' characters in a name'),
    ...patterns(schema),
    ...(schema.default === undefined ? [] : [html`default ${codeList([schema.default])}`]),
  ]
}

function choices(schema: JsonSchema): Fragment[] {
  // The known values of a response are in its description.
  const values = schema.enum ?? schema.items?.enum
  return values === undefined ? [] : [codeList(values)]
}

function range(least: number | undefined, most: number | undefined, unit: string): Fragment[] {
  if (most === undefined) return least === undefined ? [] : [`from ${count(least)}${unit}`]
  if (least === undefined) return [`at most ${count(most)}${unit}`]
  return [`${count(least)} to ${count(most)}${unit}`]
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function patterns({ pattern }: JsonSchema): Fragment[] {
  // The introduction already states that text cannot contain NUL.
  if (pattern === undefined || pattern.includes('\\u0000')) return []
  return [PATTERN_WORDS[pattern] ?? codeList([pattern])]
}

const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [SUBMISSION_ID_PATTERN]: 'visible ASCII',
  [IDEMPOTENCY_KEY_PATTERN]: 'visible ASCII, bare or quoted',
}
