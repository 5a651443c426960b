import type { ErrorCode, Fault } from '@bugle/contract'

interface Details {
  readonly detail: string
  /** What is wrong with the input, place by place. */
  readonly faults?: readonly Fault[]
  /** Members that this code adds to the problem. */
  readonly members?: Readonly<Record<string, unknown>>
  /** After how long the same may work. */
  readonly retryAfterSeconds?: number
}

/** A rule is broken or a thing is missing: expected, and answered with a code of the contract. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[] | undefined
  readonly members: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, { detail, faults, members, retryAfterSeconds }: Details) {
    super(detail)
    this.code = code
    this.faults = faults
    this.members = members
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The same words for what is missing, hidden and somebody else's: a stranger must not learn which of them it is. */
export function notFound(): DomainError {
  return new DomainError('not-found', { detail: 'Nothing is here that you may see.' })
}

/** Without a credential, what is private, hidden or missing answers in the same words. */
export function credentialsRequired(): DomainError {
  return new DomainError('credentials-required', {
    detail: 'Send a key of the project as "Authorization: Bearer <key>", or sign in.',
  })
}

/** A member of the body breaks a rule that no schema can say. */
export function badMember(member: string, code: string, detail: string): DomainError {
  return new DomainError('validation-failed', {
    detail: '1 member is not valid.',
    faults: [{ pointer: `#/${member}`, code, detail }],
  })
}
