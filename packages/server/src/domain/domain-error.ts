import type { ErrorCode, Fault } from '@bugle/contract'

interface Details {
  readonly detail: string
  /** What is wrong with the input, place by place. */
  readonly faults?: readonly Fault[]
  /** Members that this code adds to the problem. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A rule is broken or a thing is missing: expected, and answered with a code of the contract. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[] | undefined
  readonly members: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, { detail, faults, members }: Details) {
    super(detail)
    this.code = code
    this.faults = faults
    this.members = members
  }
}

/** The same words for what is missing, hidden and somebody else's: a stranger must not learn which of them it is. */
export function notFound(): DomainError {
  return new DomainError('not-found', { detail: 'Nothing is here that this key may see.' })
}
