const AT_ONCE = 4

/** Does something with each value, a few at a time, in order. */
export async function forEachOf<T>(values: Iterable<T>, work: (value: T) => Promise<void>): Promise<void> {
  const waiting = values[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value)
    }),
  )
}
