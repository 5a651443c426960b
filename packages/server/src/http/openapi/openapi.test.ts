import { type Endpoint, ERROR_CODES, endpoints, errorsOf } from '@bugle/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { describeApi } from './openapi.ts'
import { hoistSchemas } from './openapi-schemas.ts'

const document = describeApi({ version: '1.2.3' })
const table: readonly Endpoint[] = Object.values(endpoints)

function operationOf(endpoint: Endpoint) {
  return document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
}

describe('the operations', () => {
  test('are exactly those of the endpoint table', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    )
    const served = table.map(({ name, method, path }) => `${name}: ${method.toLowerCase()} ${path}`)
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  test.each(table)('$name responds with its own statuses and those of its problems', (endpoint) => {
    const answers = Object.keys(endpoint.answers)
    const problems = errorsOf(endpoint).map((code) => String(ERROR_CODES[code].status))
    const statuses = Object.keys(operationOf(endpoint)?.responses ?? {})
    expect(statuses).toEqual(expect.arrayContaining([...answers, ...problems]))
    expect(statuses).toEqual(expect.arrayContaining(['400', '408', '431', '500', '503']))
  })

  test.each(table)('$name names every problem code in the description of its status', (endpoint) => {
    for (const code of errorsOf(endpoint)) {
      const response = operationOf(endpoint)?.responses[ERROR_CODES[code].status]
      expect(response?.description).toContain(`\`${code}\`: ${ERROR_CODES[code].title}`)
      expect(response?.content?.['application/problem+json']?.schema).toEqual({
        $ref: '#/components/schemas/Problem',
      })
    }
  })

  test('require the keys of the table', () => {
    expect(operationOf(endpoints.submitIssue)?.security).toEqual([{ publicKey: [] }, { secretKey: [] }])
    expect(operationOf(endpoints.listIssues)?.security).toEqual([{ secretKey: [] }, { session: [] }, {}])
    expect(operationOf(endpoints.getSession)?.security).toEqual([{ session: [] }])
    expect(operationOf(endpoints.checkHealth)?.security).toEqual([])
    expect(operationOf(endpoints.listIssues)?.description).toContain('the scope `issues:read`')
  })

  test('have the headers of a refusal', () => {
    const { responses } = operationOf(endpoints.submitIssue) ?? {}
    expect(responses?.['401']?.headers).toHaveProperty('WWW-Authenticate')
    expect(responses?.['503']?.headers).toHaveProperty('Retry-After')
    expect(responses?.['422']?.headers).not.toHaveProperty('Retry-After')
  })

  test('list several values of a query parameter separated by commas', () => {
    const status = operationOf(endpoints.listIssues)?.parameters?.find(({ name }) => name === 'status')
    expect(status).toMatchObject({ in: 'query', style: 'form', explode: false, required: false })
  })

  test('accept a submission as text too, with its key in the body', () => {
    const text = operationOf(endpoints.submitIssue)?.requestBody?.content['text/plain']
    expect(text?.schema).toMatchObject({
      type: 'string',
      contentSchema: { $ref: '#/components/schemas/IssueSubmissionWithKey' },
    })
    expect(document.components.schemas['IssueSubmissionWithKey']?.required).toEqual(['publicKey', 'title'])
  })
})

describe('the document', () => {
  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
    expect([...everyObject(document)].flatMap(Object.getOwnPropertySymbols)).toEqual([])
  })

  test('has only examples that its schemas accept', () => {
    const examples = [...everyObject(document)].flatMap(examplesIn)
    expect(examples.length).toBeGreaterThan(20)
    expect(examples.flatMap(faultsOf)).toEqual([])
  })

  test('has an example for every JSON response', () => {
    const bodies = table.flatMap((endpoint) =>
      Object.keys(endpoint.answers).flatMap(
        (status) => operationOf(endpoint)?.responses[status]?.content?.['application/json'] ?? [],
      ),
    )
    for (const body of bodies) expect(body).toHaveProperty('example')
  })

  test('refuses two different schemas with one title', () => {
    const one = Type.Object({ a: Type.String() }, { title: 'Same' })
    const other = Type.Object({ b: Type.String() }, { title: 'Same' })
    expect(() => hoistSchemas({ requests: [one, other], responses: [] })).toThrow(
      'Two schemas have the title Same',
    )
  })
})

interface Example {
  readonly schema: object
  readonly value: unknown
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'api')

function* everyObject(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const part of Object.values(value)) yield* everyObject(part)
}

function examplesIn(found: object): readonly Example[] {
  if ('schema' in found && typeof found.schema === 'object' && found.schema !== null) {
    const { schema } = found
    const named = 'examples' in found ? Object.keys(found.examples ?? {}) : []
    return [
      ...('example' in found ? [{ schema, value: found.example }] : []),
      ...named.map((name) => ({ schema, value: document.components.examples[name]?.value })),
    ]
  }
  if ('examples' in found && Array.isArray(found.examples)) {
    const { examples, ...schema } = found
    return examples.map((value) => ({ schema, value }))
  }
  return []
}

function faultsOf({ schema, value }: Example): readonly unknown[] {
  const absolute = JSON.stringify(schema).replaceAll('"#/components', '"api#/components')
  return ajv.validate(JSON.parse(absolute), value) ? [] : [{ value, errors: ajv.errors }]
}
