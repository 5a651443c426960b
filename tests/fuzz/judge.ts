import { type Endpoint, endpoints } from '@bugle/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument, Operation } from './openapi.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Returns what is wrong with the response of an operation; nothing if it is as documented. */
export type Judge = (answer: FuzzAnswer, method: string, operation: Operation | null) => readonly string[]

/** The format of every time in a response: RFC 3339, UTC, milliseconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const DAY = /^\d{4}-\d\d-\d\d$/
const STACK_TRACE = /\bnode:internal\b|\.[cm]?[jt]s:\d+:\d+|\n\s+at /

const EVERYWHERE: Readonly<Record<string, RegExp>> = {
  'bugle-version': /^\d+\.\d+\.\d+/,
  'x-request-id': /^(?:req_\w{12}|none)$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
  'referrer-policy': /./,
  'cross-origin-resource-policy': /^(?:same-origin|cross-origin)$/,
}

/** Headers that a response with a status must have. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
}

export function createJudge(document: OpenApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('date-time', TIME).addFormat('date', DAY).addFormat('uri-reference', true)
  ajv.addFormat('int64', true).addFormat('double', true)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()

  function faultsAgainst(pointer: string, value: unknown): readonly string[] {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    validators.set(pointer, validate)
    return validate(value) ? [] : [`is not as documented: ${ajv.errorsText(validate.errors)}`]
  }

  /** The document leaves responses open. The contract does not, so that nothing is sent that is not documented. */
  function faultsAgainstContract(name: string, status: number, value: unknown): readonly string[] {
    const schema = Object.values<Endpoint>(endpoints).find((one) => one.name === name)?.answers[status]
      ?.schema
    if (schema === undefined) return []
    const key = `${name} ${status}`
    const validate = validators.get(key) ?? ajv.compile(schema)
    validators.set(key, validate)
    return validate(value) ? [] : [`does not match the contract: ${ajv.errorsText(validate.errors)}`]
  }

  function judgeShape(
    answer: FuzzAnswer,
    { operationId, path, method, responses }: Operation,
  ): readonly string[] {
    const { status, headers, text } = answer
    const response = responses[status]
    if (response === undefined) return [`has a status that ${method} ${path} does not document`]
    const type = headers['content-type']?.split(';')[0] ?? ''
    if (response.content === undefined) return text === '' ? [] : ['has a body where none is documented']
    if (response.content[type] === undefined) return [`has a type that is not documented: ${type}`]
    if (type === 'text/event-stream') return []
    const place = [
      '',
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ]
    const value = type.endsWith('json') ? parse(text) : text
    const codes = Object.keys(response.content[type]?.examples ?? {})
    return [
      ...faultsAgainst(place.map(escapePointer).join('/'), value),
      ...(status < 400 ? faultsAgainstContract(operationId, status, value) : []),
      ...(status >= 400 && !codes.includes(codeOf(value))
        ? [`has a code not listed for it: ${codeOf(value)}`]
        : []),
    ]
  }

  return (answer, method, operation) => {
    const { status, headers, text } = answer
    const isProblem = status >= 400
    const isHead = method === 'HEAD'
    const faults = [
      ...(status >= 500 ? ['is a fault of the server'] : []),
      ...(STACK_TRACE.test(text) ? ['has a stack trace'] : []),
      ...missing(headers, EVERYWHERE),
      ...(BY_STATUS[status] === undefined || BY_STATUS[status] in headers
        ? []
        : [`has no ${BY_STATUS[status]}`]),
    ]
    if (isHead) return text === '' ? faults : [...faults, 'has a body, to HEAD']
    if (isProblem && !isPageForPeople(answer, operation)) {
      faults.push(...judgeProblem(answer), ...faultsAgainst('/components/schemas/Problem', parse(text)))
    }
    const isMeant = operation?.method === method && status !== 405
    return isMeant ? [...faults, ...judgeShape(answer, operation)] : faults
  }
}

/** Outside the API, a browser that requests a missing page gets a page. */
function isPageForPeople({ status, headers }: FuzzAnswer, operation: Operation | null): boolean {
  return operation === null && status === 404 && headers['content-type'] === 'text/html; charset=utf-8'
}

function judgeProblem({ status, headers, text }: FuzzAnswer): readonly string[] {
  const problem = parse(text) as { status?: number; requestId?: string } | undefined
  return [
    ...(headers['content-type']?.startsWith('application/problem+json') ? [] : ['is no problem document']),
    ...(problem?.status === status ? [] : ['has another status in its body']),
    ...(problem?.requestId === headers['x-request-id'] ? [] : ['has another request id in its body']),
    ...(headers['cache-control'] === 'no-store' ? [] : ['may be kept by caches']),
  ]
}

function missing(
  headers: FuzzAnswer['headers'],
  wanted: Readonly<Record<string, RegExp>>,
): readonly string[] {
  return Object.entries(wanted)
    .filter(([name, pattern]) => !pattern.test(headers[name] ?? ''))
    .map(([name]) => `has no proper ${name}: ${headers[name]}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Validation then reports that it is invalid.
    return undefined
  }
}

function codeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'code' in value ? String(value.code) : 'none'
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
