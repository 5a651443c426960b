import { FileMissing, FileStoreUnavailable } from '../../storage/files/file-store.ts'
import { DomainError, notFound } from '../domain-error.ts'

/** Resolves with the first chunk, so that a response begins only if there is something to send. */
export async function startReading(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const rest = bytes[Symbol.asyncIterator]()
  const first = await rest.next().catch((error: unknown) => {
    throw toDomainError(error)
  })
  return withFirst(first, rest)
}

/** Not a generator: one that is stopped before its first chunk would not stop the rest, which has begun. */
function withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  let waiting: IteratorResult<Uint8Array> | undefined = first
  return {
    async next() {
      const result = waiting ?? (await rest.next())
      waiting = undefined
      return result
    },
    async return() {
      waiting = undefined
      await rest.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function toDomainError(error: unknown): unknown {
  // The file may have been removed after it was looked up.
  if (error instanceof FileMissing) return notFound()
  if (!(error instanceof FileStoreUnavailable)) return error
  return new DomainError('unavailable', { detail: 'The file cannot be read right now. Try again later.' })
}
