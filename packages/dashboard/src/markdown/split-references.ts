/** A piece of a text: plain, the number of an issue (`#12`), or the name of a person (`@Ada`). */
export type Reference =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'issue'; readonly text: string; readonly issueNumber: number }

/** A sign at the start of a word: in `a#1` and in an email address it is part of the word. */
const SIGN = /(?<![\p{L}\p{M}\p{N}_.+@#/&-])[#@](?=[\p{L}\p{N}])/gu
const NUMBER = /^#([1-9]\d{0,9})(?![\p{L}\p{N}_])/u
/** What would continue a name. */
const CONTINUATION = /^(?:[\p{L}\p{M}\p{N}_]|-[\p{L}\p{N}])/u

/** Finds the issues and the people that a text refers to. Only these names are people. */
export function splitReferences(text: string, names: readonly string[]): readonly Reference[] {
  const pieces: Reference[] = []
  const byLength = names.toSorted((one, other) => other.length - one.length)
  let end = 0
  for (const { index } of text.matchAll(SIGN)) {
    if (index < end) continue
    const found = findIssue(text, index) ?? findPerson(text, index, byLength)
    if (found === undefined) continue
    if (index > end) pieces.push({ kind: 'text', text: text.slice(end, index) })
    pieces.push(found)
    end = index + found.text.length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

function findIssue(text: string, index: number): Reference | undefined {
  const [found, digits] = NUMBER.exec(text.slice(index, index + 12)) ?? []
  return found === undefined ? undefined : { kind: 'issue', text: found, issueNumber: Number(digits) }
}

function findPerson(text: string, index: number, names: readonly string[]): Reference | undefined {
  if (text[index] !== '@') return undefined
  for (const name of names) {
    const end = index + 1 + name.length
    const isNamed = text.slice(index + 1, end).toLowerCase() === name.toLowerCase()
    if (isNamed && !CONTINUATION.test(text.slice(end, end + 4)))
      return { kind: 'person', text: text.slice(index, end) }
  }
  return undefined
}
