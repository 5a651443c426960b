/** Limits how long one transaction holds the lock, or occupies the writer thread, that others wait for. */
export const MAX_BATCH_CALLS = 256
/** Long texts take the most time to write and to split into words. The first one is taken regardless of its length. */
export const MAX_BATCH_CHARS = 64 * 1024

/** A call of a write: its name, then its arguments. */
export type Call = readonly [name: string, ...args: readonly unknown[]]

/** Takes the calls to commit together from the front of a queue. */
export function takeBatch<P extends { readonly call: Call }>(queue: P[]): P[] {
  let chars = 0
  const end = queue.findIndex(({ call }, index) => {
    chars += charsOf(call)
    return (
      index === MAX_BATCH_CALLS || (index > 0 && (chars > MAX_BATCH_CHARS || isAlone(call, queue[0]?.call)))
    )
  })
  return queue.splice(0, end === -1 ? queue.length : end)
}

/**
 * Rare writes that read much: what PostgreSQL has read for one of them may be outdated after another write. They also take long
 * enough alone: others would wait for all that share a commit.
 */
const ALONE: readonly string[] = ['changeIssues', 'deleteReport', 'markSpam', 'mergeIssue', 'redactReport']

/** Whether a call cannot be committed together with the first one of a batch. */
export function isAlone([name]: Call, [first]: Call = ['']): boolean {
  return ALONE.includes(name) || ALONE.includes(first)
}

/** The length of the text in a call; everything else in it is short. */
export function charsOf([, input]: Call): number {
  const { content, patch, exception } = (input ?? {}) as WithTexts
  return ((content ?? patch)?.description?.length ?? 0) + (exception?.length ?? 0)
}

interface WithTexts extends Partial<Record<'content' | 'patch', WithText>> {
  readonly exception?: string
}

interface WithText {
  readonly description?: string | null
}
