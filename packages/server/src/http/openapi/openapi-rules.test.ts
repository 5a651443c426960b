import { EVENT_TYPES, WEBHOOK_TEST } from '@bugle/contract'
import { describe, expect, test } from 'vitest'
import { type Direction, publishedSchemas } from '../../../test-support/published-schemas.ts'
import { describeApi } from './openapi.ts'
import type { JsonSchema, LinkObject, OperationObject } from './openapi-document.ts'

/** What client generators need from the document, beyond what general linters check. */
const document = describeApi({ version: '1.2.3' })
const schemas = publishedSchemas(document)
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

function placesWhere(isWrong: (schema: JsonSchema, direction: Direction) => boolean): readonly string[] {
  return schemas.flatMap(({ place, direction, schema }) => (isWrong(schema, direction) ? [place] : []))
}

test('every schema of the components is used by an operation, in one direction only', () => {
  const hoisted = Object.keys(document.components.schemas)
  const schemas = publishedSchemas({ ...document, webhooks: {} })
  const uses = schemas.filter(({ place }) => place.startsWith('#/') && place.split('/').length === 4)
  expect(uses.map(({ place }) => place.split('/')[3]).toSorted()).toEqual(hoisted.toSorted())
})

test.each(operations)('$operationId responds with one schema, whatever its 2xx status', ({ responses }) => {
  const bodies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => content?.['application/json'] ?? [])
  expect(new Set(bodies.map(({ schema }) => JSON.stringify(schema))).size).toBeLessThan(2)
})

test('no parameter is a header that OpenAPI ignores', () => {
  const names = operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name.toLowerCase()))
  for (const ignored of ['accept', 'content-type', 'authorization']) expect(names).not.toContain(ignored)
})

describe('a schema', () => {
  test('has one type, or `anyOf` if there are several', () => {
    expect(placesWhere(({ type }) => Array.isArray(type))).toEqual([])
    expect(placesWhere(({ anyOf }) => anyOf !== undefined && anyOf.length < 2)).toEqual([])
  })

  test('is null in a separate branch, never as a value of a list', () => {
    expect(placesWhere((schema) => schema.enum?.includes(null) ?? false)).toEqual([])
    expect(placesWhere((schema) => 'nullable' in schema)).toEqual([])
  })

  test('has a name for the values of a list that may be null', () => {
    // Otherwise the generator for Java writes code that does not compile.
    const nameless = schemas.filter(({ schema, parent }) => parent?.anyOf && schema.items?.enum)
    expect(nameless.map(({ place }) => place)).toEqual([])
  })

  test('has keywords only next to their type', () => {
    const strays = placesWhere(({ anyOf, properties, items, pattern, minLength, maxLength, format }) => {
      const ofTypes = [properties, items, pattern, minLength, maxLength, format]
      return anyOf !== undefined && ofTypes.some((keyword) => keyword !== undefined)
    })
    expect(strays).toEqual([])
  })

  test('has a format for its numbers', () => {
    expect(placesWhere(({ type, format }) => type === 'integer' && format !== 'int64')).toEqual([])
    expect(placesWhere(({ type, format }) => type === 'number' && format !== 'double')).toEqual([])
  })

  test('is closed in a request', () => {
    const openOnes = placesWhere(
      ({ properties, additionalProperties }, direction) =>
        direction === 'request' && properties !== undefined && additionalProperties !== false,
    )
    expect(openOnes).toEqual([])
    expect(placesWhere((schema, to) => to === 'request' && 'x-extensible-enum' in schema)).toEqual([])
  })

  test('is open in a response', () => {
    const closed = placesWhere(
      (schema, direction) =>
        direction === 'response' &&
        ('enum' in schema || 'const' in schema || schema.additionalProperties === false),
    )
    expect(closed).toEqual([])
  })

  test('names the known values of a response in its description', () => {
    const lists = schemas.filter(({ schema }) => 'x-extensible-enum' in schema)
    expect(lists.length).toBeGreaterThan(20)
    const silent = lists.filter(({ schema, parent }) => {
      // The description of an `anyOf` branch is one level up.
      const words = (schema.description ?? '') + (parent?.anyOf ? parent.description : '')
      return !schema['x-extensible-enum']?.every((value) => words.includes(`\`${value}\``))
    })
    expect(silent.map(({ place }) => place)).toEqual([])
  })
})

describe('a pattern', () => {
  function patternOf(operationId: string, name: string): RegExp {
    const parameters = operations.find((one) => one.operationId === operationId)?.parameters
    const pattern = parameters?.find((one) => one.name === name)?.schema.pattern
    expect(pattern).toBeDefined()
    return new RegExp(pattern ?? '', 'u')
  }

  test('describes a valid Idempotency-Key', () => {
    const pattern = patternOf('submitIssue', 'Idempotency-Key')
    for (const key of ['a', '"a"', 'x'.repeat(128), `"${'x'.repeat(128)}"`, String.raw`"a\"b\\c"`])
      expect(key).toMatch(pattern)
    for (const key of ['', 'a b', 'caf\u00e9', 'x'.repeat(129), `"${'x'.repeat(129)}"`, 'a\n'])
      expect(key).not.toMatch(pattern)
  })

  test('describes a valid cursor, wherever there is one', () => {
    const takers = operations.filter(({ parameters }) => parameters?.some(({ name }) => name === 'cursor'))
    expect(takers.length).toBeGreaterThan(5)
    for (const { operationId } of takers) {
      const pattern = patternOf(operationId, 'cursor')
      expect(Buffer.from('["binding",1]').toString('base64url')).toMatch(pattern)
      for (const cursor of ['', 'a b', 'a+b', 'a=', '\0']) expect(cursor).not.toMatch(pattern)
    }
  })

  test.each(['WebhookCreation', 'WebhookPatch'])('describes a valid url of a %s', (name) => {
    const pattern = new RegExp(document.components.schemas[name]?.properties?.['url']?.pattern ?? '^$', 'u')
    for (const url of ['https://hooks.example.com/bugle', 'HTTPS://EXAMPLE.COM', 'http://127.0.0.1:9000/'])
      expect(url).toMatch(pattern)
    for (const url of ['', 'example.com', 'ftp://example.com/', 'https://', 'https://a b', 'https://a\0'])
      expect(url).not.toMatch(pattern)
  })
})

describe('the webhooks', () => {
  test('are all messages that the server sends', () => {
    const types = Object.keys(document.webhooks)
    expect(types.toSorted()).toEqual([...EVENT_TYPES, WEBHOOK_TEST, 'slack.message'].toSorted())
  })

  test('share no tag with the operations, because generators write a file for each', () => {
    const own = new Set(Object.values(document.webhooks).flatMap(({ post }) => post?.tags ?? []))
    expect(operations.flatMap(({ tags }) => tags).filter((tag) => own.has(tag))).toEqual([])
  })

  test.each(Object.entries(document.webhooks))('%s describes what is sent', (_, { post }) => {
    const { schema, example } = post?.requestBody?.content['application/json'] ?? {}
    expect(schema).toEqual({ $ref: expect.stringMatching(/Message$/) })
    expect(example).toBeDefined()
    expect(post?.parameters?.map(({ name }) => name)).toContain('webhook-signature')
  })
})

describe('the links', () => {
  const links = operations.flatMap((operation) =>
    Object.values(operation.responses).flatMap((response) =>
      Object.entries(response.links ?? {}).map(([name, link]) => ({
        label: `${operation.operationId} → ${name}`,
        operation,
        link,
        example: response.content?.['application/json']?.example,
      })),
    ),
  )

  test('continue from what was submitted, created or listed', () => {
    const sources = new Set(links.map(({ operation }) => operation.operationId))
    expect([...sources]).toEqual(
      expect.arrayContaining(['submitIssue', 'createWebhook', 'listIssues', 'listEvents']),
    )
  })

  test.each(links)('$label gives an operation parameters that it has', ({ operation, link, example }) => {
    const target = operations.find(({ operationId }) => operationId === link.operationId)
    const taken = target?.parameters ?? []
    expect(taken.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(link.parameters)))
    const missing = taken.filter(({ name, required }) => required && !(name in link.parameters))
    expect(missing).toEqual([])
    expect(unresolved(link, operation, example)).toEqual([])
  })

  function unresolved({ parameters }: LinkObject, operation: OperationObject, example: unknown) {
    return Object.values(parameters).filter((expression) => {
      const [, place, name = ''] = /^\$request\.(path|query)\.(\w+)$/.exec(expression) ?? []
      if (place !== undefined)
        return !operation.parameters?.some((one) => one.name === name && one.in === place)
      const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1]?.split('/') ?? ['?']
      return (
        pointer.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], example) ===
        undefined
      )
    })
  }
})
