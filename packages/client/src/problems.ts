import type { ErrorCode, Problem } from '@bugle/contract'

/** A code of the contract, or one that a newer server has added: a `switch` needs a default. */
export type ProblemCode = ErrorCode | (string & Record<never, never>)

/** A problem as it arrived: the members of the contract, and those that its code adds. */
export type ReceivedProblem = Omit<Problem, 'code'> & {
  readonly code: ProblemCode
  readonly [member: string]: unknown
}

/** The server refused the request and said why (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: ProblemCode
  readonly problem: ReceivedProblem
  /** How long to wait before the same request may work; `null` if the server did not say. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, problem: ReceivedProblem, retryAfterSeconds: number | null) {
    super(problem.detail)
    this.status = status
    this.code = problem.code
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Nobody answered, or somebody who does not speak like Bugle; `cause` has more. Whether the request took effect is unknown. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable'
  /** What was answered, if anything was. */
  readonly status: number | null

  constructor(message: string, { status = null, cause }: { status?: number | null; cause: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

/** The error that an answer other than a success is thrown as. */
export function errorOf(response: Response, text: string): ApiProblem | ApiUnreachable {
  const { status, url } = response
  const problem = isProblemType(response) ? readProblem(text) : undefined
  if (problem !== undefined) return new ApiProblem(status, problem, readRetryAfter(response))
  return new ApiUnreachable(`${url} answered ${status}, and not as a Bugle server does`, {
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
    // A problem that is no JSON is none of ours, which the caller says.
    return undefined
  }
}

function isProblem(value: unknown): value is ReceivedProblem {
  if (typeof value !== 'object' || value === null) return false
  const { code, title, detail } = value as Partial<ReceivedProblem>
  return [code, title, detail].every((member) => typeof member === 'string')
}

/** Our server says seconds. A date, which a proxy might say, depends on two clocks and is not read. */
function readRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}
