/** Resolves with the first chunk, so that a response begins only if there is something to send. */
export async function startReading(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const rest = bytes[Symbol.asyncIterator]()
  return withFirst(await rest.next(), rest)
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
