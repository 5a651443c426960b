import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserRecord } from '../../model/users.ts'

const ID_BYTES = 16
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/

/**
 * A token by which a browser is known again as one where this person has signed in (OWASP, device cookies). It lets
 * nobody in: it only keeps their guesses apart from those of strangers. It ends with the password.
 */
export function mintDeviceToken(user: UserRecord): string {
  const deviceId = randomBytes(ID_BYTES).toString('base64url')
  return `${deviceId}.${sign(deviceId, user).toString('base64url')}`
}

/** Whether a text can be such a token, of anybody. */
export function isDeviceToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN.test(text)
}

/** What tells the browser apart from others; `null` unless this person, with this password, has signed in there. */
export function findDeviceId(token: string | undefined, user: UserRecord): string | null {
  const [, deviceId = '', signature = ''] = TOKEN.exec(token ?? '') ?? []
  if (deviceId === '' || user.passwordHash === null) return null
  return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(deviceId, user)) ? deviceId : null
}

/** The hash of the password is a secret that every node has already, and that is another one for every password. */
function sign(deviceId: string, { id, passwordHash }: UserRecord): Buffer {
  return createHmac('sha256', passwordHash ?? '')
    .update(`device ${id} ${deviceId}`)
    .digest()
}
