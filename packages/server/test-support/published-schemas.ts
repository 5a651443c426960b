import type { JsonSchema, OpenApiDocument, OperationObject } from '../src/http/openapi/openapi-document.ts'
import { resolveSchema } from '../src/http/openapi/openapi-schemas.ts'

/** `request`: what the server takes. `response`: what it sends, to callers and to webhooks. */
export type Direction = 'request' | 'response'

/** A schema of the published document, and where it was found. */
export interface PublishedSchema {
  readonly place: string
  readonly direction: Direction
  readonly schema: JsonSchema
  /** The schema that it is part of. */
  readonly parent: JsonSchema | undefined
}

/** Every schema of a document, with each of its uses. References are followed. */
export function publishedSchemas(document: OpenApiDocument): readonly PublishedSchema[] {
  const found: PublishedSchema[] = []
  const entered = new Set<string>()

  function visit(published: PublishedSchema): void {
    const { schema, direction, place } = published
    if (schema.$ref !== undefined) {
      const isKnown = entered.has(`${direction} ${schema.$ref}`)
      entered.add(`${direction} ${schema.$ref}`)
      const target = resolveSchema(schema, document.components.schemas)
      if (!isKnown) visit({ place: schema.$ref, direction, schema: target, parent: undefined })
      return
    }
    found.push(published)
    for (const [name, part] of partsOf(schema)) {
      visit({ place: `${place}/${name}`, direction, schema: part, parent: schema })
    }
  }

  for (const root of rootsOf(document)) visit({ ...root, parent: undefined })
  return found
}

function partsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { properties = {}, propertyNames, additionalProperties, items, anyOf = [], contentSchema } = schema
  return [
    ...Object.entries(properties),
    ...(propertyNames ? [['propertyNames', propertyNames] as const] : []),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
    ...(items ? [['[]', items] as const] : []),
    ...anyOf.map((part, index) => [`anyOf ${index}`, part] as const),
    ...(contentSchema ? [['contentSchema', contentSchema] as const] : []),
  ]
}

type Root = Omit<PublishedSchema, 'parent'>

function rootsOf({ paths, webhooks, components }: OpenApiDocument): readonly Root[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const called = operations.flatMap(({ callbacks = {} }) =>
    Object.values(callbacks).flatMap((places) => Object.values(places)),
  )
  const messages = [...Object.values(webhooks), ...called].flatMap((item) => Object.values(item))
  return [
    ...operations.flatMap((operation) => [...received(operation, 'request'), ...responded(operation)]),
    ...messages.flatMap((operation) => received(operation, 'response')),
    ...Object.entries(components.headers).map(([name, { schema }]) => ({
      place: name,
      direction: 'response' as const,
      schema,
    })),
  ]
}

function received(
  { operationId, parameters = [], requestBody }: OperationObject,
  direction: Direction,
): Root[] {
  return [
    ...parameters.map(({ name, schema }) => ({ place: `${operationId} ${name}`, direction, schema })),
    ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
      place: `${operationId} ${type}`,
      direction,
      schema,
    })),
  ]
}

function responded({ operationId, responses }: OperationObject): Root[] {
  return Object.entries(responses).flatMap(([status, { headers, content = {} }]) => [
    ...Object.entries(headers).flatMap(([name, header]) =>
      'schema' in header
        ? [
            {
              place: `${operationId} ${status} ${name}`,
              direction: 'response' as const,
              schema: header.schema,
            },
          ]
        : [],
    ),
    ...Object.values(content).map(({ schema }) => ({
      place: `${operationId} ${status}`,
      direction: 'response' as const,
      schema,
    })),
  ])
}
