import type { ErrorCode, Problem } from '@bugle/contract'

/** A code of the contract, or one that a newer server has added: a `switch` needs a default. */
export type ProblemCode = ErrorCode | (string & Record<never, never>)

/** A problem as received: the fields of the contract, and those that its code adds. */
export type ReceivedProblem = Omit<Problem, 'code'> & {
  readonly code: ProblemCode
  readonly [member: string]: unknown
}

/** The server refused the request and gave a reason (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: ProblemCode
  readonly problem: ReceivedProblem
  /** How long to wait before a retry; `null` if the server did not specify it. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, problem: ReceivedProblem, retryAfterSeconds: number | null) {
    super(problem.detail)
    this.status = status
    this.code = problem.code
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** There was no response, or one that is not from Bugle; see `cause`. The request may or may not have taken effect. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable'
  /** The status of the response, if there was one. */
  readonly status: number | null

  constructor(message: string, { status = null, cause }: { status?: number | null; cause: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

/** The error for a response that is not a success. */
export function errorOf(response: Response, text: string): ApiProblem | ApiUnreachable {
  const { status, url } = response
  const problem = isProblemType(response) ? readProblem(text) : undefined
  if (problem !== undefined) return new ApiProblem(status, problem, readRetryAfter(response))
  return new ApiUnreachable(`${url} responded with ${status}, but does not appear to be a Bugle server`, {
    status,
    cause: text,
  })
}

function isProblemType(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/problem+json') === true
}

function readProblem(text: string): ReceivedProblem | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isProblem(value) ? value : undefined
  } catch {
    // Not JSON, so not from Bugle; the caller reports that.
    return undefined
  }
}

function isProblem(value: unknown): value is ReceivedProblem {
  if (typeof value !== 'object' || value === null) return false
  const { code, title, detail } = value as Partial<ReceivedProblem>
  return [code, title, detail].every((member) => typeof member === 'string')
}

/** Bugle sends seconds. A date, which a proxy might send, depends on two clocks and is ignored. */
function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}
