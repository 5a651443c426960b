import {
  type Answer,
  type Endpoint,
  IssueSubmission,
  KEY_CHECKSUM_CHARS,
  KEY_PREFIXES,
  KEY_RANDOM_CHARS,
} from '@bugle/contract'
import { type TSchema, Type } from 'typebox'
import type {
  HeaderObject,
  JsonSchema,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './openapi-document.ts'
import { linksOf } from './openapi-links.ts'
import { describeProblems } from './openapi-problems.ts'
import { exampleOf, referToRequest, referToResponse } from './openapi-schemas.ts'
import { describeCallbacks } from './openapi-webhooks.ts'

/** An endpoint of the contract as an OpenAPI operation. */
export function describeOperation(
  endpoint: Endpoint,
  commonHeaders: Readonly<Record<string, Reference>>,
): OperationObject {
  const parameters = describeParameters(endpoint)
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      ...describeFuture(endpoint),
      describeCallers(endpoint) + describeEffect(endpoint),
    ].join('\n\n'),
    ...(endpoint.deprecation && { deprecated: true }),
    security: describeSecurity(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: describeBody(endpoint, endpoint.body) }),
    ...(endpoint.hasRawBody && { requestBody: { required: true, content: RAW } }),
    responses: {
      ...describeAnswers(endpoint, commonHeaders),
      ...describeProblems(endpoint, commonHeaders),
    },
    ...(endpoint.name === 'createWebhook' && { callbacks: describeCallbacks() }),
  }
}

const KEY_CHARS = KEY_RANDOM_CHARS + KEY_CHECKSUM_CHARS
const PLACEHOLDER_KEY = KEY_PREFIXES.public + 'x'.repeat(KEY_CHARS)

const IssueSubmissionWithKey = Type.Object(
  {
    publicKey: Type.String({
      pattern: `^${KEY_PREFIXES.public}[0-9A-Za-z]{${KEY_CHARS}}$`,
      description: 'The public key of the project, instead of the `Authorization` header.',
    }),
    ...IssueSubmission.properties,
  },
  {
    additionalProperties: false,
    title: 'IssueSubmissionWithKey',
    description: 'A submission that contains its key, for pages that cannot set a header.',
    examples: [{ publicKey: PLACEHOLDER_KEY, title: 'Settings screen stays blank', platform: 'web' }],
  },
)

/** Endpoint name → the JSON that it also accepts as `text/plain`. */
export const PLAIN_TEXT_BODIES: Readonly<Record<string, TSchema>> = { submitIssue: IssueSubmissionWithKey }

function describeFuture({ deprecation }: Endpoint): readonly string[] {
  if (deprecation === undefined) return []
  const { since, sunset, successor } = deprecation
  return [`**Deprecated** since ${since}, kept until ${sunset}. Use \`${successor}\` instead.`]
}

function describeCallers({ access, crossOrigin }: Endpoint): string {
  if (access === 'operator') {
    return '**Who may call it:** a client that sends the token from the setting `BUGLE_METRICS_TOKEN`. If it is not set, no one.'
  }
  if (access === 'signed-in' || access === 'admin') return '**Who may call it:** a person who is signed in.'
  if (access === null) return '**Who may call it:** anyone, without a key.'
  const having = access.scope === null ? '' : ` with the scope \`${access.scope}\``
  const callers = [
    ...(access.publicKey ? ['a public key'] : []),
    `a secret key${having}`,
    ...(crossOrigin ? [] : [`a person who is signed in${having}`]),
    ...(access.publicProject ? ['anyone, if the project is public'] : []),
  ]
  const origins = crossOrigin ? ' Web pages of other origins may call it too.' : ''
  return `**Who may call it:** ${callers.join('; or ')}.${origins}`
}

function describeEffect({ effect }: Endpoint): string {
  if (effect === undefined) return ''
  const fields = Object.entries(effect.when ?? {}).flatMap(([field, values]) =>
    values === 'given' ? `\`${field}\`` : values.map((value) => `\`${field}: ${value}\``),
  )
  const calls = fields.length === 0 ? '' : ` to send ${fields.join(' or ')}`
  return ` A person must have signed in within the last 15 minutes${calls}.`
}

// Scopes stay in the description: linters would treat them as OAuth scopes here.
function describeSecurity({ access, crossOrigin }: Endpoint): OperationObject['security'] {
  if (access === null) return []
  if (access === 'operator') return [{ metricsToken: [] }]
  if (access === 'signed-in' || access === 'admin') return [{ session: [] }]
  return [
    ...(access.publicKey ? [{ publicKey: [] }] : []),
    { secretKey: [] },
    ...(crossOrigin ? [] : [{ session: [] }]),
    ...(access.publicProject ? [{}] : []),
  ]
}

function describeParameters(endpoint: Endpoint): readonly ParameterObject[] {
  return [
    ...membersAsParameters('path', endpoint.params),
    ...membersAsParameters('query', endpoint.query),
    ...Object.entries(endpoint.headers ?? {})
      // OpenAPI does not allow `Accept` as a parameter: the media types of the responses define its values.
      .filter(([name]) => name !== 'Accept')
      .map(([name, header]) => describeHeaderParameter(name, header)),
  ]
}

function describeHeaderParameter(name: string, header: string | TSchema): ParameterObject {
  const { description = '', ...schema } =
    typeof header === 'string' ? { description: header, type: 'string' } : referToRequest(header)
  return { name, in: 'header', required: false, description, schema }
}

function membersAsParameters(place: 'path' | 'query', members: TSchema | undefined): ParameterObject[] {
  const { properties = {}, required = [] } = members === undefined ? {} : referToRequest(members)
  return Object.entries(properties).map(([name, { description = '', examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
    ...(schema.type === 'array' && { style: 'form' as const, explode: false }),
    ...(examples !== undefined && { example: examples[0] }),
  }))
}

function describeBody(endpoint: Endpoint, body: TSchema): RequestBodyObject {
  const { name, mediaTypes = ['application/json'] } = endpoint
  const plainText = PLAIN_TEXT_BODIES[name]
  const jsonTypes = mediaTypes.filter((type) => type.endsWith('json'))
  return {
    required: true,
    content: {
      ...Object.fromEntries(
        jsonTypes.map((type) => [type, { schema: referToRequest(body), example: exampleOf(body) }]),
      ),
      ...(plainText && { 'text/plain': describeJsonText(plainText) }),
    },
  }
}

function describeJsonText(schema: TSchema): MediaTypeObject {
  return {
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: referToRequest(schema) },
    example: JSON.stringify(exampleOf(schema)),
  }
}

function describeAnswers(
  endpoint: Endpoint,
  commonHeaders: Readonly<Record<string, Reference>>,
): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        headers: { ...describeHeaders(answer), ...commonHeaders },
        ...(answer.schema && {
          content: {
            [answer.mediaType ?? 'application/json']: {
              schema: referToResponse(answer.schema),
              example: exampleOf(answer.schema),
            },
            ...(answer.stream && { [answer.stream]: { schema: { type: 'string' } } }),
          },
          links: linksOf(endpoint),
        }),
        ...(answer.isRaw && { content: RAW }),
      },
    ]),
  )
}

/** Bytes of any type. */
const RAW: Readonly<Record<string, MediaTypeObject>> = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
}

function describeHeaders(answer: Answer): Record<string, HeaderObject> {
  const schema: JsonSchema = { type: 'string' }
  return Object.fromEntries(
    Object.entries(answer.headers ?? {}).map(([name, description]) => [name, { description, schema }]),
  )
}
