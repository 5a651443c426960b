import { readCookie } from './session-cookie.ts'

const NAME = 'bugle_device'
const MAX_AGE_SECONDS = 365 * 86_400

/** The cookie that identifies a browser after a session has ended. It is sent only to the sign-in endpoints. */
export interface DeviceCookie {
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that stores the token. */
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
