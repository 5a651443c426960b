const REDACTED = '[redacted]'

/** The name before `=` or `:`. It starts where a word starts, so that no text is scanned twice. */
const NAME = /(?:^|[^\w-])([\w-]+)\\?["']? ?[=:] ?/g
/** What must not be sent along with it. `AuthError` and `sessionExpired` end differently. */
const SECRET_NAME =
  /(?:token|secret|passw(?:or)?d|passphrase|pwd|(?:api|access|private|account)[-_]?key|auth|authorization|session(?:[-_]?id)?|cookie|credentials?)$/i
/** The value: in quotes, escaped quotes, or up to what separates it from the next. */
const VALUE =
  /\\"[^"]*"?|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|(?:(?:bearer|basic|digest|token) )?[^\s"'&,;)}\]]+/iy
const COOKIES = /[^\s=;"']{1,128}=[^\n"']*/y
/** Keys that say what they are, and the head of an HTTP authentication. */
const KNOWN_KEYS =
  /\b(?:eyJ|bgl_sec_|[sr]k[-_]|gh\w_|github_pat_|glpat-|npm_|xox\w-|ya29\.|SG\.|A[KS]IA|AIza)[\w.-]{12,}|\b(bearer|basic) ([^\s"'&,;)]{8,})/gi
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}-----)?/g
const ADDRESS = /:\/\/[^\s"'<>)]+/g

/** Removes credentials from machine text. What a person typed is never rewritten. Each pattern takes linear time. */
export function scrub(text: string): string {
  return scrubNamed(text.replace(PRIVATE_KEY, REDACTED).replace(ADDRESS, scrubAddress)).replace(
    KNOWN_KEYS,
    scrubKey,
  )
}

/** Without its user, query and fragment, but with the line and column that follow it in a stack. */
function scrubAddress(address: string): string {
  return address.replace(/^:\/\/[^/?#]*@/, '://').replace(/[?#].*?((?::\d+){0,2})$/, '$1')
}

function scrubNamed(text: string): string {
  let clean = ''
  let done = 0
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    // The sign after one name may be what the next one follows: `RangeError: token=…`.
    NAME.lastIndex--
    const start = match.index + match[0].length
    const name = match[1] ?? ''
    if (start <= done || !SECRET_NAME.test(name)) continue
    const pattern = /cookie$/i.test(name) && /: $/.test(match[0]) ? COOKIES : VALUE
    pattern.lastIndex = start
    const value = pattern.exec(text)?.[0]
    // `Password: must be longer` is a sentence.
    if (!value || (pattern === VALUE && /: $/.test(match[0]) && !looksSecret(value, 6))) continue
    const [quote = ''] = /^\\?["']/.exec(value) ?? []
    const [scheme = ''] = /^\w+ /.exec(quote ? '' : value) ?? []
    const isClosed = quote && value.length > quote.length && value.endsWith(quote)
    clean += text.slice(done, start) + quote + scheme + REDACTED + (isClosed ? quote : '')
    done = start + value.length
  }
  return clean + text.slice(done)
}

function scrubKey(key: string, scheme?: string, value = ''): string {
  if (!scheme) return /\d|^bgl/.test(key) ? REDACTED : key
  return looksSecret(value, 8) ? `${scheme} ${REDACTED}` : key
}

/** Whether it is no word of a sentence. */
function looksSecret(value: string, minChars: number): boolean {
  if (/^\\?["']/.test(value)) return true
  return value.length >= minChars && /[\d_=+/@$]|\w\.\w|^(?=.*[a-z][A-Z]).{12}/.test(value)
}
