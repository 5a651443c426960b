/** Bodies that may be sent again, as the text they are sent as. What is shown is never changed. */
const texts = new WeakMap<object, string>()

/** Marks a body that may be sent again: it becomes text only once. */
export function writeOnce<T extends object>(body: T): T {
  if (!texts.has(body)) texts.set(body, JSON.stringify(body))
  return body
}

export function textOf(body: unknown): string {
  return (typeof body === 'object' && body !== null ? texts.get(body) : undefined) ?? JSON.stringify(body)
}
