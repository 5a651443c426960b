import fc, { type Arbitrary } from 'fast-check'
import { type JsonSchema, type Operation, type ParameterObject, parametersIn } from './openapi.ts'
import { type FuzzHeaders, headersFor, STRANGE_HEADERS } from './request-headers.ts'
import { junk, type Values } from './values.ts'

/** A request to send. Values that only the running server knows are referenced by number, and resolved when it is sent. */
export interface FuzzRequest {
  /** Its operation; `null` for an arbitrary path. */
  readonly operation: Operation | null
  readonly method: string
  /** Parts of the path: text as it is sent, or the nth known id for the operation. */
  readonly path: readonly (string | number)[]
  readonly query: string
  /** The nth kind of caller; the first may do everything. */
  readonly caller: number
  readonly headers: FuzzHeaders
  readonly body: FuzzBody | null
  /** Whether some of its bytes are changed before sending. */
  readonly mangling: readonly Mangle[]
}

/** The body, and its type. */
export interface FuzzBody {
  readonly type: string
  readonly text: string
}

/** At a position, in thousandths of the request: a replaced byte, or an additional one. */
export interface Mangle {
  readonly place: number
  readonly byte: number
  readonly isInserted: boolean
}

export function createRequests(operations: readonly Operation[], values: Values): Arbitrary<FuzzRequest> {
  const meant = fc.oneof(
    ...operations.map((operation) => ({
      arbitrary: requestFor(operation, values),
      weight: OFTEN.includes(operation.operationId) ? 5 : 1,
    })),
  )
  return fc.oneof(
    { arbitrary: meant, weight: 90 },
    { arbitrary: elsewhere(operations), weight: 5 },
    {
      arbitrary: fc
        .tuple(meant, fc.array(mangle, { minLength: 1, maxLength: 5 }))
        .map(([request, mangling]) => ({ ...request, mangling })),
      weight: 2,
    },
  )
}

/** The project that most requests use. */
const OFTEN: readonly string[] = ['submitIssue', 'changeIssue']

/** Half of the time the first, who may do everything; otherwise any caller. */
const caller = fc.oneof(fc.constant(0), fc.nat({ max: 999 }))

function requestFor(operation: Operation, values: Values): Arbitrary<FuzzRequest> {
  return fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { arbitrary: fc.constant(operation.method), weight: 40 },
      { arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'GET', 'POST', 'DELETE', 'TRACE'), weight: 1 },
    ),
    path: pathFor(operation),
    query: queryFor(operation, values),
    caller,
    headers: headersFor(operation),
    body: bodyFor(operation, values),
    mangling: fc.constant([]),
  })
}

/** Mostly existing ids, and others. */
function pathFor({ path }: Operation): Arbitrary<readonly (string | number)[]> {
  const pieces = path.split(/(\{\w+\})/).filter((piece) => piece !== '')
  return fc.tuple(
    ...pieces.map((piece) =>
      piece.startsWith('{')
        ? fc.oneof({ arbitrary: fc.nat({ max: 999 }), weight: 6 }, { arbitrary: segment, weight: 1 })
        : fc.constant(piece),
    ),
  )
}

const segment = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^(?:iss|whk|prj|key|usr)_[0-9a-hjkmnp-tv-z]{26}$/),
  fc.constantFrom(
    '%00',
    '%ff',
    '%',
    '..',
    '.',
    '%2e%2e',
    '-1',
    '1e9',
    '999999999999999999999',
    'x'.repeat(5_000),
  ),
)

function queryFor(operation: Operation, values: Values): Arbitrary<string> {
  const parameters = parametersIn(operation, 'query')
  const schema = objectOf(parameters)
  const fitting = values.valid(schema).map(toQuery)
  const almost = values.nearlyValid(schema).map(toQuery)
  const wild = fc.oneof(
    fc
      .array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 })
      .map((pairs) =>
        new URLSearchParams(
          pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
        ).toString(),
      ),
    fc.constantFrom('%zz', '&&&', '=', 'page=1&page=2', 'cursor=%00', 'after=-1', `q=${'x'.repeat(5_000)}`),
  )
  return fc.oneof(
    { arbitrary: fc.constant(''), weight: parameters.length === 0 ? 20 : 3 },
    { arbitrary: fitting, weight: 8 },
    { arbitrary: almost, weight: 3 },
    { arbitrary: wild, weight: 1 },
  )
}

function objectOf(parameters: readonly ParameterObject[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function toQuery(value: unknown): string {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : { value })
  const pairs = entries
    .filter(([, held]) => held !== undefined && held !== null)
    .map(([name, held]) => [name, [held].flat().map(toText).join(',')])
  return new URLSearchParams(
    pairs.map(([name = '', held = '']) => [name.toWellFormed(), held.toWellFormed()]),
  ).toString()
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function bodyFor({ requestBody, method }: Operation, values: Values): Arbitrary<FuzzBody | null> {
  const wild = fc
    .oneof(
      junk.map((thing) => JSON.stringify(thing) ?? ''),
      fc.string(),
      fc.constantFrom(
        '',
        '{',
        '[]',
        'null',
        '{"title":"x"',
        '\ufeff{}',
        '{"a":1}{"a":2}',
        '1e999',
        '"\\ud800"',
      ),
    )
    .map((text) => ({ type: 'application/json', text }))
  if (requestBody === undefined) {
    const rarely = method === 'GET' ? 60 : 12
    return fc.oneof({ arbitrary: fc.constant(null), weight: rarely }, { arbitrary: wild, weight: 1 })
  }
  const described = Object.entries(requestBody.content).flatMap(([type, { schema }]) => {
    const content = schema.contentSchema ?? schema
    const toBody = (value: unknown) => ({ type, text: JSON.stringify(value) ?? '' })
    return [
      { arbitrary: values.valid(content).map(toBody), weight: 10 },
      { arbitrary: values.nearlyValid(content).map(toBody), weight: 6 },
    ]
  })
  return fc.oneof(...described, { arbitrary: wild, weight: 1 }, { arbitrary: fc.constant(null), weight: 1 })
}

/** Paths that look like ours. */
function elsewhere(operations: readonly Operation[]): Arbitrary<FuzzRequest> {
  const words = [...new Set(operations.flatMap(({ path }) => path.split('/')))].filter(
    (word) => !word.includes('{'),
  )
  return fc.record({
    operation: fc.constant(null),
    method: fc.constantFrom(
      'GET',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
    ),
    path: fc
      .array(
        fc.oneof(
          fc.constantFrom(...words, 'docs', 'problems', 'openapi.json', 'metrics', '.well-known'),
          segment,
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((segments) => [`/${segments.join('/')}`]),
    query: fc.constantFrom('', 'x=1', '%zz'),
    caller,
    headers: fc.record(STRANGE_HEADERS, { requiredKeys: [] }),
    body: fc.constantFrom(null, null, null, { type: 'application/json', text: '{}' }),
    mangling: fc.constant([]),
  })
}

const mangle: Arbitrary<Mangle> = fc.record({
  place: fc.nat({ max: 999 }),
  byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 10, 13, 32, 58, 255)),
  isInserted: fc.boolean(),
})
