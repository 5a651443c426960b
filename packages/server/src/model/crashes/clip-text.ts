/** Without NUL, which neither database stores, and without half characters. The limits count code points. */
export function clip(text: string, maxChars: number): string {
  // A character has at most two code units. Removing NUL from more than needed would take long.
  const head = text
    .slice(0, 4 * maxChars)
    .replaceAll('\0', '')
    .toWellFormed()
  if (head.length <= maxChars) return head
  return Array.from(head.slice(0, 2 * maxChars))
    .slice(0, maxChars)
    .join('')
    .toWellFormed()
}
