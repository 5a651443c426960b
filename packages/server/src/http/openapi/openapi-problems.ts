import { type Endpoint, ERROR_CODES, type ErrorCode, errorsOf, Problem } from '@bugle/contract'
import type { ExampleObject, HeaderObject, Reference, ResponseObject } from './openapi-document.ts'
import { exampleOf, referToResponse } from './openapi-schemas.ts'

/** The problem responses of an endpoint, one for each status. */
export function describeProblems(
  endpoint: Endpoint,
  commonHeaders: Readonly<Record<string, Reference>>,
): Record<string, ResponseObject> {
  const byStatus = Object.groupBy(errorsOf(endpoint), (code) => ERROR_CODES[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => describeCode(code, endpoint)).join('\n'),
        headers: { ...HEADERS_BY_STATUS[status], ...commonHeaders },
        content: {
          'application/problem+json': { schema: referToResponse(Problem), examples: referToExamples(codes) },
        },
      },
    ]),
  )
}

function describeCode(code: ErrorCode, { maxBodyBytes = 0 }: Endpoint): string {
  const limit = code === 'content-too-large' ? `: more than ${maxBodyBytes.toLocaleString('en')} bytes` : ''
  return `- \`${code}\`: ${ERROR_CODES[code].title}${limit}.`
}

/** An example of each problem that the endpoints respond with, for `components/examples`. */
export function describeProblemExamples(endpoints: readonly Endpoint[]): Record<string, ExampleObject> {
  const codes = new Set(endpoints.flatMap(errorsOf))
  return Object.fromEntries(
    [...codes].map((code) => [code, { summary: ERROR_CODES[code].title, value: exampleOfProblem(code) }]),
  )
}

/** An example of a problem with this code. */
export function exampleOfProblem(code: ErrorCode): Problem {
  const model = exampleOf(Problem) as Problem
  if (code === model.code) return model
  const { title, status, help } = ERROR_CODES[code]
  const { errors: _, ...plain } = model
  return { ...plain, type: `/problems/${code}`, title, status, detail: help, code, ...faults(code) }
}

const RETRY_AFTER: HeaderObject = {
  description: 'Seconds to wait before trying again.',
  schema: { type: 'integer', format: 'int64', minimum: 0 },
}

const HEADERS_BY_STATUS: Readonly<Record<string, Readonly<Record<string, HeaderObject>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'How to authenticate: `Bearer`, with the error of the key that was sent.',
      schema: { type: 'string' },
    },
  },
  405: {
    Allow: { description: 'The methods that work here.', schema: { type: 'string' } },
  },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
}

function referToExamples(codes: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
}

function faults(code: ErrorCode): Pick<Problem, 'errors'> {
  if (code !== 'invalid-parameter') return {}
  return {
    errors: [{ parameter: 'pageSize', code: 'maximum', detail: 'pageSize must be at most 100.' }],
  }
}
