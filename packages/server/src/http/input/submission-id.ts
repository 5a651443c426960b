import { MAX_SUBMISSION_ID_CHARS, SUBMISSION_ID_PATTERN } from '@bugle/contract'
import { DomainError } from '../../domain/domain-error.ts'

const SUBMISSION_ID = new RegExp(SUBMISSION_ID_PATTERN)

/** The submission id, from the field or the header `Idempotency-Key`. If both are given, they must agree. */
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
    const detail =
      'submissionId and the header Idempotency-Key must be the same, or one of them must be omitted.'
    throw new DomainError('validation-failed', {
      detail,
      faults: [{ pointer: '#/submissionId', code: 'conflict', detail }],
    })
  }
  return id
}

const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/

/** The value of the header, bare or as an RFC 8941 string; `undefined` if quotes are not closed or escaped. */
function unquote(header: string): string | undefined {
  if (header.length < 2 || !header.startsWith('"') || !header.endsWith('"')) return header
  return QUOTED.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
}
