const CONCURRENT = 20

/** Like `Promise.all`, but for any number of operations: a thousand at once would wait longer for a connection than the pool allows. */
export async function fewAtATime<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += CONCURRENT)
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENT).map(work))))
  return results
}
