import { scrub } from '../core/reports/scrub.ts'

const REDACTED = '[redacted]'
/** Also in the form that addresses have. Each part is bounded, so that the time is linear. */
const EMAIL = /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gi
/** 13 to 19 digits, as cards and bank accounts have, with spaces or dashes between them. */
const LONG_NUMBER = /\d(?:[ -]?\d){12,18}/g
/** The host of an address, which is kept, or a part of a path that is an id or a token rather than a name. */
const TOKEN_IN_PATH = /\/\/[^/\s]*|\/(?=[\w.~%-]{0,256}\d)[\w.~%-]{16,}/g

/** Removes credentials, email addresses, card numbers and, in addresses, everything that looks like a token. */
export function scrubStep(text: string): string {
  return scrub(text)
    .replace(EMAIL, REDACTED)
    .replace(LONG_NUMBER, REDACTED)
    .replace(TOKEN_IN_PATH, (part) => (part.startsWith('//') ? part : `/${REDACTED}`))
}

/** An address without credentials, query and fragment. Those of other kinds, such as `data:`, contain their content. */
export function addressOf(address: string | URL): string {
  const { protocol, origin, pathname } = new URL(address, location.href)
  return /^(https?|wss?):$/.test(protocol) ? origin + pathname : protocol
}
