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
      contact: { name: 'Whoever runs this server' },
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
  'Bugle takes issue reports from apps, stores them durably, numbers them, and lets the team read and follow them.',
  'Requests and answers are JSON, UTF-8, with names in camelCase. Times are RFC 3339 in UTC with milliseconds. Every documented member of an answer is always present, `null` when it is empty.',
  'Lengths count Unicode code points. Text may hold any character but NUL, is kept as it was sent, and is never interpreted as markup.',
  'Every 4xx and 5xx answer is a problem (RFC 9457) whose `code` says what is wrong, whose `detail` says it in words, and whose `errors` lists the faults of the input, up to 20 at once.',
  '`/v1` changes only by addition. New operations, members and values may appear at any time: ignore those you do not know.',
]

const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  issues: 'Problems of a project: submit them from an app, list and retrieve them to work on them.',
  projects:
    'The apps whose reports are collected. They are made with the `bugle` command, never through the API.',
  events: 'What happened to issues, as a log: read it in parts, or stay connected and follow it.',
  webhooks: 'Endpoints of yours that are sent events as they happen, signed, and again until they take them.',
  sdk: 'What an SDK asks for when it starts.',
  session:
    "People who sign in to the dashboard, and their own things. People are added with the `bugle` command, never through the API. Outside `/v1`: these operations are the dashboard's, and may change with it.",
  health: 'For load balancers and whatever watches the process.',
}

const SECURITY_SCHEMES: ComponentsObject['securitySchemes'] = {
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${KEY_PREFIXES.public}…`,
    description:
      'A public key may sit in an app or a page. It submits issues to its project and reads little else.',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${KEY_PREFIXES.secret}…`,
    description: 'A secret key is for servers and people, never for a page. It may do what its scopes say.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The cookie of a person who is signed in, who may do what their role says; \`${SECURE_SESSION_COOKIE}\` where the server is reached by https. A request other than GET also needs the header \`${CSRF_HEADER}: 1\`, and a body of type JSON. Where an \`Authorization\` header is sent too, the header counts.`,
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'BUGLE_METRICS_TOKEN',
    description: 'What the setting says. It reads the metrics and nothing else.',
  },
}

const COMMON_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'Bugle-Version': { description: 'The release of Bugle that answered.', schema: { type: 'string' } },
  'X-Request-Id': {
    description: "Finds the request in the server's log; a problem repeats it as `requestId`.",
    schema: { type: 'string' },
  },
}

/** Answers of endpoints that anyone may call without a key have none of these: they are not limited. */
const LIMIT_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'RateLimit-Policy': {
    description:
      'The limits that count for the request, if any: each with its name, how many requests (`q`) and in how many seconds (`w`). A hint; its form may change.',
    schema: { type: 'string', examples: ['"submit";q=120;w=60'] },
  },
  RateLimit: {
    description:
      'How each of these limits stands: how many requests remain (`r`), and after how many seconds all do (`t`). A hint; its form may change.',
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
