import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from './openapi.ts'

/** Longer text is tried only at the limits: most faults appear with short texts. */
const USUAL_CHARS = 60

/** Values of a schema, as the document describes them. */
export interface Values {
  /** Values that match the schema. */
  valid(schema: JsonSchema): Arbitrary<unknown>
  /** Values with exactly one fault. */
  nearlyValid(schema: JsonSchema): Arbitrary<unknown>
}

/** Fields whose values come from the server, by name: `projectId`, `cursor` and so on. */
export type Known = Readonly<Record<string, Arbitrary<unknown>>>

export function createValues(schemas: Readonly<Record<string, JsonSchema>>, known: Known): Values {
  function valid(schema: JsonSchema): Arbitrary<unknown> {
    if (schema.$ref !== undefined) return valid(resolve(schema.$ref))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valid))
    const types = [schema.type ?? 'string'].flat()
    return fc.oneof(...types.map((type) => ofType(type, schema)))
  }

  function ofType(type: string, schema: JsonSchema): Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 5_000 })
      case 'number':
        return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      case 'array':
        return fc.uniqueArray(valid(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 4, 4),
        })
      case 'object':
        return validObject(schema)
      default:
        return validText(schema)
    }
  }

  function validObject({ properties = {}, required = [], additionalProperties, ...rest }: JsonSchema) {
    const members = Object.entries(properties).map(([name, member]) => [name, known[name] ?? valid(member)])
    const named = fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
      requiredKeys: [...required],
    })
    if (typeof additionalProperties !== 'object') return named
    const keys = validText(rest.propertyNames ?? {})
    const others = fc.dictionary(keys, valid(additionalProperties), { maxKeys: 6, noNullPrototype: true })
    return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }))
  }

  function resolve(reference: string): JsonSchema {
    const schema = schemas[reference.slice(reference.lastIndexOf('/') + 1)]
    if (schema === undefined) throw new Error(`the document has no ${reference}`)
    return schema
  }

  return {
    valid,
    nearlyValid: (schema) => fc.tuple(valid(schema), fault).map(([value, spoil]) => spoil(value)),
  }
}

function validText({ pattern = '', format, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER }: JsonSchema) {
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, ...YEARS }).map((date) => date.toISOString())
  const shape = new RegExp(pattern, 'u')
  const fits = (text: string) => {
    const { length } = [...text]
    return length >= minLength && length <= maxLength && shape.test(text)
  }
  // If any text is allowed, all kinds of text are tried; otherwise texts that match the pattern.
  if (!shape.test('Any words. ü')) return fc.stringMatching(shape).filter(fits)
  const usual = fc.oneof(fc.string({ unit: 'grapheme', maxLength: USUAL_CHARS }), fc.constantFrom(...WORDS))
  const longest = maxLength < 40_000 ? [{ arbitrary: fc.constant('x'.repeat(maxLength)), weight: 1 }] : []
  return fc
    .oneof({ arbitrary: usual, weight: 30 }, ...longest)
    .map((text) => (fits(text) ? text : [...`${text}${'x'.repeat(minLength)}`].slice(0, maxLength).join('')))
    .filter(fits)
}

const YEARS = { min: new Date('1970-01-01'), max: new Date('9999-12-31') }

/** Texts that often cause problems. */
const WORDS = [
  'blank screen',
  '"blank screen"',
  "Robert'); DROP TABLE issues;--",
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '%s%n%x',
  '*',
  'AND OR NOT NEAR(',
  '\u202egnp.exe',
  '設定画面が真っ白',
  '🏳️‍🌈👩‍👩‍👧',
  '\ud800',
  'constructor',
  '__proto__',
  '../../etc/passwd',
  '0',
]

const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    'x'.repeat(300),
    'x'.repeat(40_000),
    [],
    {},
    [[]],
    { toString: 'x' },
    '2026-02-30T00:00:00Z',
    '9999-99-99',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

type Spoil = (value: unknown) => unknown

/** One fault: a field is missing, added or of another type, or the whole value is of another type. */
const fault: Arbitrary<Spoil> = fc.oneof(
  junk.map(
    (thing): Spoil =>
      () =>
        thing,
  ),
  fc.tuple(fc.nat(), junk).map(
    ([nth, thing]): Spoil =>
      (value) =>
        withMember(value, nth, () => thing),
  ),
  fc.nat().map(
    (nth): Spoil =>
      (value) =>
        withMember(value, nth, () => undefined),
  ),
  fc.tuple(fc.oneof(fc.string(), fc.constantFrom(...WORDS, 'id', 'status', 'titel')), junk).map(
    ([name, thing]): Spoil =>
      (value) =>
        isObject(value) ? Object.fromEntries([...Object.entries(value), [name, thing]]) : thing,
  ),
)

function withMember(value: unknown, nth: number, make: () => unknown): unknown {
  if (!isObject(value)) return make()
  const entries = Object.entries(value)
  const place = entries.length === 0 ? 0 : nth % entries.length
  return Object.fromEntries(entries.map(([name, held], index) => [name, index === place ? make() : held]))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export { junk }
