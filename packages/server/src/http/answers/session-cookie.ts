import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@bugle/contract'
import { isOpaqueToken } from '../../domain/opaque-tokens.ts'
import { MAX_SESSION_MS } from '../../domain/people/session-lifetime.ts'

/** The session cookie. */
export interface SessionCookie {
  /** The token in the `Cookie` header, if there is a valid one. */
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that stores the token. */
  write(token: string): string
  /** The `Set-Cookie` header that clears it. */
  readonly cleared: string
}

/** With https, the cookie is `Secure`, and its name prefix binds it to this host. */
export function createSessionCookie(publicUrl: string | null): SessionCookie {
  const isSecure = publicUrl?.startsWith('https:') === true
  const name = isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

  return {
    read(header) {
      const value = readCookie(header, name)
      return value !== undefined && isOpaqueToken(value) ? value : undefined
    },
    write: (token) => `${name}=${token}; Max-Age=${MAX_SESSION_MS / 1_000}; ${attributes}`,
    cleared: `${name}=; Max-Age=0; ${attributes}`,
  }
}

/** The value of a cookie in the header `Cookie`. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
