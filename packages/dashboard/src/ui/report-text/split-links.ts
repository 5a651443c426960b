/** A piece of a reported text: plain, or a URL that may become a link. */
export type TextPiece = { readonly text: string; readonly href?: string }

/** More would not be useful, and each one adds an element. */
const MAX_LINKS = 200

/** Ends at white space, quotes, angle brackets, and direction controls. */
const ADDRESS =
  /\bhttps?:\/\/[^\s<>"'`“”„«»\u0000-\u001f\u007f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/giu
/** Characters that usually end the sentence, not the URL. */
const TRAILING = '.,;:!?*_~'
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSED: ReadonlySet<string> = new Set(Object.values(CLOSING))

/** Finds the URLs in a text. A URL that hides its destination stays text. */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  let links = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimEnd(found)
    const href = hrefOf(address)
    if (href === undefined || ++links > MAX_LINKS) continue
    if (index > end) pieces.push({ text: text.slice(end, index) })
    pieces.push({ text: address, href })
    end = index + address.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}

/** The URL without punctuation of the surrounding sentence, as in `(see https://example.com)`. */
function trimEnd(found: string): string {
  const loose = countLooseBrackets(found)
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    const isLoose = (loose[last] ?? 0) > 0
    if (!isLoose && !TRAILING.includes(last)) break
    if (isLoose) loose[last] = (loose[last] ?? 0) - 1
  }
  return found.slice(0, end)
}

/** The number of unmatched closing brackets of each kind. */
function countLooseBrackets(address: string): Record<string, number> {
  const loose: Record<string, number> = {}
  for (const character of address) {
    const closing = CLOSING[character]
    if (closing !== undefined) loose[closing] = (loose[closing] ?? 0) - 1
    else if (CLOSED.has(character)) loose[character] = (loose[character] ?? 0) + 1
  }
  return loose
}

function hrefOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, username, password, href } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  // `https://bank.example@evil.example` is a link to evil.example.
  if (username !== '' || password !== '') return undefined
  // Letters of other scripts can imitate a trusted name.
  return address.toLowerCase().includes(hostname) ? href : undefined
}
