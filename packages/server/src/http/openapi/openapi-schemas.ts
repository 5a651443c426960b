import type { TSchema } from 'typebox'
import type { JsonSchema } from './openapi-document.ts'
import { mapSubschemas, mapValues, portableRequest, portableResponse } from './openapi-portable.ts'

const SCHEMAS = '#/components/schemas/'

interface Roots {
  readonly requests: readonly TSchema[]
  readonly responses: readonly TSchema[]
}

/** Every titled schema in or below the roots, by its title, for `components/schemas`. */
export function hoistSchemas({ requests, responses }: Roots): Record<string, JsonSchema> {
  const hoisted: Record<string, JsonSchema> = {}
  for (const root of requests) hoist(portableRequest(toPlainSchema(root)), hoisted)
  for (const root of responses) hoist(portableResponse(toPlainSchema(root)), hoisted)
  return hoisted
}

/** A schema of a request as plain JSON, with each titled schema in it replaced by a reference to the hoisted one. */
export function referToRequest(schema: TSchema): JsonSchema {
  return refer(portableRequest(toPlainSchema(schema)))
}

/** The same for a schema of a response. */
export function referToResponse(schema: TSchema): JsonSchema {
  return refer(portableResponse(toPlainSchema(schema)))
}

/** The schema behind a reference into `components/schemas`; any other schema unchanged. */
export function resolveSchema(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  if (schema.$ref === undefined) return schema
  const target = schemas[schema.$ref.slice(SCHEMAS.length)]
  if (target === undefined) throw new Error(`No schema is hoisted as ${schema.$ref}`)
  return target
}

/** The first example of a schema, or one put together from the examples of its parts. */
export function exampleOf(schema: TSchema): unknown {
  return composeExample(toPlainSchema(schema))
}

function hoist(schema: JsonSchema, hoisted: Record<string, JsonSchema>): void {
  for (const part of subschemas(schema)) hoist(part, hoisted)
  if (schema.title === undefined) return
  const body = mapSubschemas(schema, refer)
  const earlier = hoisted[schema.title]
  if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(body)) {
    throw new Error(`Two schemas have the title ${schema.title}`)
  }
  hoisted[schema.title] = body
}

function refer(schema: JsonSchema): JsonSchema {
  if (schema.title !== undefined) return { $ref: SCHEMAS + schema.title }
  return mapSubschemas(schema, refer)
}

function composeExample(schema: JsonSchema): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.items !== undefined) return [composeExample(schema.items)]
  if (schema.properties !== undefined) return mapValues(schema.properties, composeExample)
  return undefined
}

function subschemas(schema: JsonSchema): readonly JsonSchema[] {
  const found: JsonSchema[] = []
  mapSubschemas(schema, (part) => {
    found.push(part)
    return part
  })
  return found
}

// TypeBox schemas are JSON Schema with symbols and hidden properties, which JSON drops.
function toPlainSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema
}
