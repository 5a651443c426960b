import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTimestamp } from '../../packages/server/src/http/input/timestamps.ts'
import { describeApi } from '../../packages/server/src/http/openapi/openapi.ts'
import { operationsOf } from './openapi.ts'
import { createValues } from './values.ts'

const document = describeApi({ version: '1.2.3' })
const values = createValues(document.components.schemas, {})
const ajv = new Ajv2020({ strict: false })
ajv.addFormat('date-time', isTimestamp).addFormat('int64', true).addFormat('double', true)
ajv.addSchema(document, 'api')

const bodies = operationsOf(document).flatMap(({ operationId, requestBody }) =>
  Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
    name: `${operationId} as ${type}`,
    schema: schema.contentSchema ?? schema,
  })),
)

test.each(bodies)('values for $name match its schema, or nearly do', ({ schema }) => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'))
  const isValid = ajv.compile(absolute)
  const settings = { seed: 1, numRuns: 300 }
  fc.assert(
    fc.property(values.valid(schema), (value) => isValid(JSON.parse(JSON.stringify(value)))),
    settings,
  )
  const spoiled = fc.sample(values.nearlyValid(schema), settings)
  expect(spoiled.filter((value) => !isValid(value)).length).toBeGreaterThan(100)
})
