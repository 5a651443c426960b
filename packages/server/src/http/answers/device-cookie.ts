import { readCookie } from './session-cookie.ts'

const NAME = 'bugle_device'
const MAX_AGE_SECONDS = 365 * 86_400

/** How a browser is known again after a sign-in is over. Only where people sign in it is sent at all. */
export interface DeviceCookie {
  read(header: string | undefined): string | undefined
  /** The header `Set-Cookie` that keeps the token. */
  write(token: string): string
}

export function createDeviceCookie(publicUrl: string | null): DeviceCookie {
  const isSecure = publicUrl?.startsWith('https:') === true
  const name = isSecure ? `__Secure-${NAME}` : NAME
  const attributes = `Path=/session; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read: (header) => readCookie(header, name),
    write: (token) => `${name}=${token}; Max-Age=${MAX_AGE_SECONDS}; ${attributes}`,
  }
}
