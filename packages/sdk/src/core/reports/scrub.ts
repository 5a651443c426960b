const REDACTED = '[redacted]'

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-+[^-]*(?:-+END[^-]*-+)?/g
/** `://user:password@host/path?query#fragment`, with the line and column that follow it in a stack. */
const ADDRESS = /:\/\/(?:[^\s"'<>)/?#]*@)?([^\s"'<>)?#]*)(?:[?#][^\s"'<>)]*?((?::\d+){0,2})(?=[\s"'<>)]|$))?/g
const COOKIES = /(cookie: )[^\s=;"']{1,128}=[^\n"']*/gi
/**
 * A name that ends like the name of a secret (`AuthError` does not), followed by `=` or `:`, or an HTTP
 * authentication scheme; then the value: in escaped quotes, in quotes, or up to the next separator. It starts
 * at the beginning of a word, so that no text is scanned twice.
 */
const NAMED =
  /(^|[^\w-])([\w-]*(?:token|secret|passw(?:or)?d|passphrase|pwd|(?:api|access|private|account)[-_]?key|auth(?:orization)?|session(?:[-_]?id)?|cookie|credentials?)\\?["']? ?[=:] ?|(?:bearer|basic) )(\\"[^"]*"?|(["'])(?:\\.|(?!\4)[^\\])*\4?|(?:(?:bearer|basic|digest|token) )?[^\s"'&,;)}\]]+)/gis
/** A value that does not look like a word in a sentence. */
const SECRET = /^\\?["']|^(?=.{6}).*(?:[\d_=+/@$]|\w\.\w)|^(?=.*[a-z][A-Z]).{12}/
/** Keys with a recognisable prefix, unless they have no digits, like words. */
const KNOWN_KEYS =
  /\b(?:bgl_(?:sec|pat)_|(?:eyJ|[sr]k[-_]|gh\w_|github_pat_|glpat-|npm_|xox\w-|ya29\.|SG\.|A[KS]IA|AIza)(?=[\w.-]{0,99}\d))[\w.-]{12,}/gi

/** Removes credentials from machine text. What a person typed is never rewritten. Each pattern takes linear time. */
export function scrub(text: string): string {
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(ADDRESS, '://$1$2')
    .replace(COOKIES, `$1${REDACTED}`)
    .replace(NAMED, scrubNamed)
    .replace(KNOWN_KEYS, REDACTED)
}

function scrubNamed(all: string, before: string, name: string, value: string): string {
  // `Password: must be longer` and `basic plan` are sentences.
  if (/[^=] $/.test(name) && !SECRET.test(value)) return all
  // The quotes and the scheme stay.
  return before + name + value.replace(/^(\\?["']|\w+ |).*?(\1|)$/s, `$1${REDACTED}$2`)
}
