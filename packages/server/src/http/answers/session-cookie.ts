import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@bugle/contract'
import { isOpaqueToken } from '../../domain/opaque-tokens.ts'
import { MAX_SESSION_MS } from '../../domain/people/session-lifetime.ts'

/** How a sign-in is kept in a browser. */
export interface SessionCookie {
  /** The token in the header `Cookie`, if there is one that could be ours. */
  read(header: string | undefined): string | undefined
  /** The header `Set-Cookie` that keeps the token. */
  write(token: string): string
  /** The one that clears it. */
  readonly cleared: string
}

/** Where people come by https, the cookie never travels without, and its name forbids any other scope. */
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
