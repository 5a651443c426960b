import {
  CSRF_HEADER,
  type Endpoint,
  endpoints,
  KEY_PREFIXES,
  Problem,
  SECURE_SESSION_COOKIE,
  SESSION_COOKIE,
} from '@bugle/contract'
import type {
  ComponentsObject,
  HeaderObject,
  OpenApiDocument,
  PathItemObject,
  Reference,
} from './openapi-document.ts'
import { describeOperation, PLAIN_TEXT_BODIES } from './openapi-operation.ts'
import { describeProblemExamples } from './openapi-problems.ts'
import { hoistSchemas } from './openapi-schemas.ts'
import { describeWebhooks, WEBHOOK_BODIES, WEBHOOK_TAG } from './openapi-webhooks.ts'

export type { OpenApiDocument } from './openapi-document.ts'

/** Everything in the contract's table of endpoints as an OpenAPI document, in plain JSON. */
export function describeApi(about: { readonly version: string }): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bugle',
      summary: 'Issue reports from your apps, on a server you run yourself.',
      description: CONVENTIONS.join('\n\n'),
      version: about.version,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: [...Object.entries(TAGS).map(([name, description]) => ({ name, description })), WEBHOOK_TAG],
    paths: describePaths(),
    webhooks: describeWebhooks(),
    components: {
      schemas: hoistSchemas(everySchema()),
      headers: { ...COMMON_HEADERS, ...LIMIT_HEADERS },
      examples: describeProblemExamples(ENDPOINTS),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const ENDPOINTS: readonly Endpoint[] = Object.values(endpoints)

const CONVENTIONS = [
  'Bugle collects issue reports from apps, stores them durably, numbers them, and lets your team read and follow them.',
  'Requests and responses are JSON in UTF-8, with names in camelCase. Times are RFC 3339 in UTC with milliseconds. Every documented field of a response is always present, `null` when it is empty.',
  'Lengths count Unicode code points. Text may contain any character but NUL, is stored as it was sent, and is never interpreted as markup.',
  'Every 4xx and 5xx response is a problem document (RFC 9457): `code` identifies the problem, `detail` describes it, and `errors` lists up to 20 faults in the input.',
  '`/v1` changes only by addition. New operations, fields and values may appear at any time: ignore those you do not know.',
]

/** Settings are not part of the API. */
const TAGS: Readonly<Record<Exclude<Endpoint['tag'], 'settings'>, string>> = {
  issues: 'Problems of a project: submit them from an app, list and retrieve them, and work on them.',
  attachments: 'Files of reports: upload them after the report, list and download them.',
  projects:
    'The apps whose reports are collected. They are created with the `bugle` command, not through the API.',
  events: 'The event log of a project: read it page by page, or stay connected and follow it.',
  webhooks: 'Your endpoints that receive signed events as they happen, with retries.',
  my: 'What people see of their own reports, in the app that they reported from: status, replies and messages.',
  sdk: 'The configuration that an SDK reads when it starts.',
  session:
    'People who sign in to the dashboard, with their sessions and views. People are added with the `bugle` command, not through the API. These operations are outside `/v1` because they belong to the dashboard and may change with it.',
  health: 'For load balancers and monitoring.',
}

const SECURITY_SCHEMES: ComponentsObject['securitySchemes'] = {
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${KEY_PREFIXES.public}…`,
    description:
      'A public key may be part of an app or a page. It submits issues to its project and reads little else.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${KEY_PREFIXES.secret}…`,
    description:
      'A secret key is for servers and people, never for a page. Its scopes determine what it may do. A personal access token (`bgl_pat_…`) is used in the same way, and has no more rights than its owner.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The session cookie of a person, whose role determines what they may do; named \`${SECURE_SESSION_COOKIE}\` with https. A request other than GET also needs the header \`${CSRF_HEADER}: 1\`, and a body of type JSON. If an \`Authorization\` header is sent too, it takes precedence.`,
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'BUGLE_METRICS_TOKEN',
    description: 'The value of the setting. It gives access to the metrics and nothing else.',
  },
}

const COMMON_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'Bugle-Version': { description: 'The release of Bugle that responded.', schema: { type: 'string' } },
  'X-Request-Id': {
    description: "Identifies the request in the server's log; a problem repeats it as `requestId`.",
    schema: { type: 'string' },
  },
}

/** Responses of endpoints that anyone may call without a key have none of these, because they are not limited. */
const LIMIT_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'RateLimit-Policy': {
    description:
      'The limits that apply to the request: each with its name, the number of requests (`q`) and the window in seconds (`w`). A hint; its format may change.',
    schema: { type: 'string', examples: ['"submit";q=120;w=60'] },
  },
  RateLimit: {
    description:
      'The state of each limit: how many requests remain (`r`), and after how many seconds all are available again (`t`). A hint; its format may change.',
    schema: { type: 'string', examples: ['"submit";r=119;t=1'] },
  },
}

function describePaths(): Record<string, PathItemObject> {
  const byPath = Object.groupBy(ENDPOINTS, (endpoint) => endpoint.path)
  return Object.fromEntries(
    Object.entries(byPath).map(([path, found = []]) => [
      path,
      Object.fromEntries(
        found.map((endpoint) => [
          endpoint.method.toLowerCase(),
          describeOperation(endpoint, commonHeadersOf(endpoint)),
        ]),
      ),
    ]),
  )
}

function commonHeadersOf({ access }: Endpoint): Record<string, Reference> {
  const headers = access === null ? COMMON_HEADERS : { ...COMMON_HEADERS, ...LIMIT_HEADERS }
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}

function everySchema(): Parameters<typeof hoistSchemas>[0] {
  const requests = ENDPOINTS.flatMap(({ name, params, query, body }) => [
    params,
    query,
    body,
    PLAIN_TEXT_BODIES[name],
  ])
  const responses = ENDPOINTS.flatMap(({ answers }) => Object.values(answers).map(({ schema }) => schema))
  return {
    requests: requests.filter((schema) => schema !== undefined),
    responses: [...responses.filter((schema) => schema !== undefined), Problem, ...WEBHOOK_BODIES],
  }
}
