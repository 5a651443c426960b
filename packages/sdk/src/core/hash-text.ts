/** Two 32-bit hashes of a text (multiply and xor, with two primes): to tell texts apart, not to keep them secret. */
export function hashText(text: string): string {
  let first = 2
  let second = 1
  for (let index = 0; index < text.length; index++) {
    first = Math.imul(first ^ text.charCodeAt(index), 16777619)
    second = Math.imul(second ^ text.charCodeAt(index), 1597334677)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}
