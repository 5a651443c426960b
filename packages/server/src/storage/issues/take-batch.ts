/** Bounds how long one transaction holds what others wait for: the lock, or the thread that writes. */
export const MAX_BATCH_CALLS = 256
/** Texts are what takes long to write, and to split into words. The first one is taken however long it is. */
export const MAX_BATCH_CHARS = 64 * 1024

/** A write as it is called: its name, then its arguments. */
export type Call = readonly [name: string, ...args: readonly unknown[]]

/** Takes what is committed together from the front of a queue. */
export function takeBatch<P extends { readonly call: Call }>(queue: P[]): P[] {
  let chars = 0
  const end = queue.findIndex(({ call }, index) => {
    chars += charsOf(call)
    return index === MAX_BATCH_CALLS || (index > 0 && chars > MAX_BATCH_CHARS)
  })
  return queue.splice(0, end === -1 ? queue.length : end)
}

/** The length of the text that a call brings along; everything else in it is short. */
export function charsOf([, order]: Call): number {
  const { content, patch } = (order ?? {}) as Partial<Record<'content' | 'patch', WithText>>
  return (content ?? patch)?.description?.length ?? 0
}

interface WithText {
  readonly description?: string | null
}
