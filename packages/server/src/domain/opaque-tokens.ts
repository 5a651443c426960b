import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/

/** A secret of 256 random bits, for cookies and links. Only its hash is stored. */
export function mintOpaqueToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Whether a text can be a token; anything else costs no query. */
export function isOpaqueToken(text: string): boolean {
  return TOKEN.test(text)
}
