import { MAX_SUBMISSION_ID_CHARS, SUBMISSION_ID_PATTERN } from '@bugle/contract'
import { DomainError } from '../../domain/domain-error.ts'

const SUBMISSION_ID = new RegExp(SUBMISSION_ID_PATTERN)

/** What names a submission: the member or the header `Idempotency-Key`. Given both, they must agree. */
export function submissionIdOf(header: string | undefined, member: string | null): string | null {
  if (header === undefined) return member
  const id = unquote(header)
  if (id === undefined || !SUBMISSION_ID.test(id) || id.length > MAX_SUBMISSION_ID_CHARS) {
    const detail = `Idempotency-Key must have 1 to ${MAX_SUBMISSION_ID_CHARS} visible ASCII characters, bare or quoted ("…", with \\" and \\\\ for a quote and a backslash).`
    throw new DomainError('invalid-parameter', {
      detail,
      faults: [{ header: 'Idempotency-Key', code: 'format', detail }],
    })
  }
  if (member !== null && member !== id) {
    const detail = 'submissionId must be the same as the header Idempotency-Key, or one of them left out.'
    throw new DomainError('validation-failed', {
      detail,
      faults: [{ pointer: '#/submissionId', code: 'conflict', detail }],
    })
  }
  return id
}

const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/

/** What the header says, bare or as a string of RFC 8941; `undefined` where quotes are not closed or escaped. */
function unquote(header: string): string | undefined {
  if (header.length < 2 || !header.startsWith('"') || !header.endsWith('"')) return header
  return QUOTED.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
}
