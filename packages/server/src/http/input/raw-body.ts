import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'

/** The bytes of the body as they arrive. More is received only when they are read. */
export async function* bodyOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  // A request without a body has ended before it is read.
  if (raw.readableEnded) return
  try {
    yield* raw.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw Object.assign(
      new DomainError('bad-request', { detail: 'The connection was closed before the body was complete.' }),
      { cause },
    )
  } finally {
    // Unwanted bytes are read and discarded, so that the client gets its response.
    raw.resume()
  }
}

/** The announced length; `null` if the body comes in chunks. */
export function lengthOf({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : null
}
