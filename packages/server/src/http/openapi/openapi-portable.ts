import type { JsonSchema } from './openapi-document.ts'

/**
 * Schemas of the contract in the form that code generators understand. The contract itself keeps type lists and
 * closed responses: the first validate faster, the second let our tests detect undocumented fields.
 */

/** A schema of a request: closed, as the server validates it. */
export function portableRequest(schema: JsonSchema): JsonSchema {
  return portable(schema, (part) => part)
}

/** A schema of a response: open, because `/v1` may gain fields and values at any time. */
export function portableResponse(schema: JsonSchema): JsonSchema {
  return portable(schema, open)
}

/** Calls `map` for each schema directly inside another one. */
export function mapSubschemas(schema: JsonSchema, map: (part: JsonSchema) => JsonSchema): JsonSchema {
  // Keyword by keyword: `title` may also be the name of a property or a field of an example.
  const { properties, propertyNames, additionalProperties, items, anyOf, contentSchema } = schema
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, map) }),
    ...(propertyNames && { propertyNames: map(propertyNames) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
    ...(items && { items: map(items) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(contentSchema && { contentSchema: map(contentSchema) }),
  }
}

export function mapValues<V, W>(
  values: Readonly<Record<string, V>>,
  map: (value: V) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

function portable(schema: JsonSchema, adapt: (part: JsonSchema) => JsonSchema): JsonSchema {
  return splitTypes(adapt(mapSubschemas(schema, (part) => portable(part, adapt))))
}

function open(schema: JsonSchema): JsonSchema {
  const { enum: values, const: value, additionalProperties, ...rest } = schema
  const known = (values ?? (value === undefined ? undefined : [value]))?.filter((one) => one !== null)
  return {
    ...rest,
    // Omitted rather than `true`: with `true`, generators add a map of further fields to every type and accept mistyped names.
    ...(additionalProperties !== false && additionalProperties !== undefined && { additionalProperties }),
    ...(known && { 'x-extensible-enum': known }),
    ...describeKnownValues(rest, known ?? rest.items?.['x-extensible-enum']),
  }
}

/** Also in the description, because generators copy descriptions into the code, but not extensions. */
function describeKnownValues(
  { description = '' }: JsonSchema,
  known: readonly unknown[] | undefined,
): Pick<JsonSchema, 'description'> {
  if (known === undefined) return {}
  const sentence = `Known values, to which others may be added: ${known.map((one) => `\`${one}\``).join(', ')}.`
  return { description: `${description} ${sentence}`.trim() }
}

/** `anyOf` instead of a list of types, with each keyword in the branch of its type. */
function splitTypes(schema: JsonSchema): JsonSchema {
  const { type, title, description, examples, ...rest } = schema
  if (typeof type === 'string' || type === undefined) return withFormat(schema)
  const isNamedBranch = (one: string) => one !== 'null' && type.length === 2 && type.includes('null')
  return {
    ...(title !== undefined && !type.some(isNamedBranch) && { title }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    anyOf: type.map((one) =>
      withFormat({
        type: one,
        ...(title !== undefined && isNamedBranch(one) && { title }),
        ...pick(rest, KEYWORDS[one] ?? []),
      }),
    ),
  }
}

const KEYWORDS: Readonly<Record<string, readonly (keyof JsonSchema)[]>> = {
  string: ['enum', 'x-extensible-enum', 'format', 'pattern', 'minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'propertyNames', 'maxProperties'],
}

function pick(schema: JsonSchema, keywords: readonly (keyof JsonSchema)[]): JsonSchema {
  const entries = keywords.filter((keyword) => schema[keyword] !== undefined)
  const found: JsonSchema = Object.fromEntries(entries.map((keyword) => [keyword, schema[keyword]]))
  return found.enum === undefined ? found : { ...found, enum: found.enum.filter((one) => one !== null) }
}

/** Without a format, generators use 32-bit integers and single precision. */
function withFormat(schema: JsonSchema): JsonSchema {
  if (schema.type === 'integer') return { format: 'int64', ...schema }
  return schema.type === 'number' ? { format: 'double', ...schema } : schema
}
