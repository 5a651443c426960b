import { SUBMISSION_ID_PATTERN } from '@bugle/contract'
import type { JsonSchema } from '../openapi-document.ts'
import { type Fragment, html } from './page.ts'
import { codeList } from './prose.ts'

/** The type of a schema in words: `string or null`, `array of date-time`. */
export function typeWords(schema: JsonSchema): string {
  if (schema.items !== undefined) return `array of ${typeWords(schema.items)}`
  const types = [schema.type ?? 'object'].flat()
  return types.map((type) => (type === 'string' ? (schema.format ?? type) : type)).join(' or ')
}

/** What a value must keep to, beyond its type. */
export function limitWords(schema: JsonSchema): readonly Fragment[] {
  const limits = [
    ...choices(schema),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...range(undefined, schema.maxProperties, ' members'),
    ...range(schema.propertyNames?.minLength, schema.propertyNames?.maxLength, ' characters in a name'),
    ...patterns(schema),
    ...(schema.default === undefined ? [] : [html`default ${codeList([schema.default])}`]),
  ]
  return limits.map((limit, index) => (index === 0 ? limit : ['; ', limit]))
}

function choices(schema: JsonSchema): Fragment[] {
  if (schema.const !== undefined) return [html`always ${codeList([schema.const])}`]
  const values = (schema.enum ?? schema.items?.enum)?.filter((value) => value !== null)
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
  // That text has no NUL is said once, in the introduction.
  if (pattern === undefined || pattern.includes('\\u0000')) return []
  return [pattern === SUBMISSION_ID_PATTERN ? 'visible ASCII' : codeList([pattern])]
}
