import {
  CSRF_HEADER,
  type Endpoint,
  ERROR_CODES,
  type ErrorCode,
  endpoints,
  errorsOf,
  Problem,
  SESSION_COOKIE,
  SlackMessage,
  WEBHOOK_TEST,
  WebhookMessage,
  WebhookTestMessage,
} from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import { settingsEndpoints } from '@bugle/contract/settings'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isTimestamp } from '../src/http/input/timestamps.ts'
import { sendRequest } from './send-request.ts'

interface RequestOptions {
  /** A token, or the cookie of a person. */
  readonly key?: string
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
  readonly body: any
}

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>

/** Sends requests to a server and checks every response against the contract. */
export function createCaller(url: string): Send {
  return async (method, path, { key, body, headers } = {}) => {
    const {
      status,
      headers: received,
      text,
    } = await sendRequest(url + path, {
      method,
      headers: {
        ...credentialOf(key),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: toBody(body) }),
    })
    const isJson = /json/.test(received.get('content-type') ?? '')
    const answer = {
      status,
      headers: received,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
    assertInContract(method, path, answer)
    return answer
  }
}

/** The headers that authenticate the caller: for a key, or as the dashboard sends them. */
export function credentialOf(key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (!key.startsWith(SESSION_COOKIE)) return { authorization: `Bearer ${key}` }
  return { cookie: key, [CSRF_HEADER]: '1' }
}

function toBody(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
ajv.addFormat('date-time', isTimestamp)
ajv.addFormat('uri-reference', true)
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/)
const validators = new Map<object, ValidateFunction>()

/** Fails unless the endpoint documents this response: status, body and error code. */
export function assertInContract(
  method: string,
  path: string,
  { status, body, text, headers }: Answer,
): void {
  if (status >= 400) assertProblem(status, body, headers)
  const endpoint = findEndpoint(method, path)
  if (endpoint === undefined) return
  if (status >= 400) {
    assertListed(endpoint, body.code)
    return
  }
  const answer = endpoint.answers[status]
  if (answer === undefined)
    throw new Error(`${endpoint.name} responded with ${status}, which its endpoint does not list`)
  if (answer.schema !== undefined && method !== 'HEAD')
    assertValid(answer.schema, answer.mediaType === undefined ? body : text, `${endpoint.name} ${status}`)
}

/** Fails unless the contract documents this webhook body. */
export function assertMessageInContract(text: string): void {
  const message: { type?: string; text?: string } = JSON.parse(text)
  const event = message.type === WEBHOOK_TEST ? WebhookTestMessage : WebhookMessage
  assertValid(message.text === undefined ? event : SlackMessage, message, 'a message to a webhook')
}

function assertProblem(status: number, body: unknown, headers: Headers): void {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true) {
    throw new Error(`a response with status ${status} is not a problem document`)
  }
  assertValid(Problem, body, `problem ${status}`)
  const { code } = body as { code: ErrorCode }
  if (ERROR_CODES[code].status !== status) throw new Error(`${code} was sent with status ${status}`)
}

function assertListed(endpoint: Endpoint, code: ErrorCode): void {
  if (!errorsOf(endpoint).includes(code))
    throw new Error(`${endpoint.name} responded with ${code}, which its endpoint does not list`)
}

function assertValid(schema: object, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  if (!validate(value))
    throw new Error(`${what} does not match the contract: ${ajv.errorsText(validate.errors)}`)
}

function findEndpoint(method: string, path: string): Endpoint | undefined {
  const asked = path.split('?')[0] ?? path
  const wanted = method === 'HEAD' ? 'GET' : method
  return PATTERNS.find(({ endpoint, pattern }) => endpoint.method === wanted && pattern.test(asked))?.endpoint
}

const PATTERNS = Object.values<Endpoint>({ ...endpoints, ...settingsEndpoints, ...sentryEndpoints }).map(
  (endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }),
)
