import type { ErrorCode, Fault } from '@bugle/contract'

interface Details {
  readonly detail: string
  /** The faults in the input, with their locations. */
  readonly faults?: readonly Fault[]
  /** Fields that this code adds to the problem. */
  readonly members?: Readonly<Record<string, unknown>>
  /** After how long a retry may succeed. */
  readonly retryAfterSeconds?: number
  /** Why, for the log. */
  readonly cause?: unknown
  /** Headers that this code adds to the response. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A rule is broken or something is missing: an expected error, with a code from the contract. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[] | undefined
  readonly members: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: ErrorCode, { detail, faults, members, retryAfterSeconds, cause, headers }: Details) {
    super(detail, { cause })
    this.code = code
    this.faults = faults
    this.members = members
    this.retryAfterSeconds = retryAfterSeconds
    this.headers = headers
  }
}

/** The same text whether something is missing, hidden or in another project, so that a stranger cannot tell. */
export function notFound(): DomainError {
  return new DomainError('not-found', { detail: 'Not found, or not visible to you.' })
}

/** Without credentials, the response is the same whether something is private, hidden or missing. */
export function credentialsRequired(): DomainError {
  return new DomainError('credentials-required', {
    detail: 'Send a key of the project as "Authorization: Bearer <key>", or sign in.',
  })
}

/** A field of the body breaks a rule that a schema cannot express. */
export function badMember(member: string, code: string, detail: string): DomainError {
  return new DomainError('validation-failed', {
    detail: '1 field is not valid.',
    faults: [{ pointer: `#/${member}`, code, detail }],
  })
}
