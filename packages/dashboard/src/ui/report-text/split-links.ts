/** A piece of a reported text: plain, or a URL that may become a link. */
export type TextPiece = { readonly text: string; readonly href?: string }

/** More would not be read, and each costs an element. */
const MAX_LINKS = 200

/** Ends at white space, quotes, angle brackets, and at controls that turn the direction of writing around. */
const ADDRESS =
  /\bhttps?:\/\/[^\s<>"'`“”„«»\u0000-\u001f\u007f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/giu
/** What more often ends the sentence than the address. */
const TRAILING = '.,;:!?*_~'
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSED: ReadonlySet<string> = new Set(Object.values(CLOSING))

/** Finds the addresses in a text. What only looks like one, or hides where it leads, stays text. */
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

/** The address without what belongs to the sentence around it, as in `(see https://example.com)`. */
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

/** How many more brackets of each kind are closed than opened. */
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
  // `https://bank.example@evil.example` leads to evil.example.
  if (username !== '' || password !== '') return undefined
  // Letters of other scripts can look like the ones of a name that is trusted.
  return address.toLowerCase().includes(hostname) ? href : undefined
}
