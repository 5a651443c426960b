import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserRecord } from '../../model/people/users.ts'

const ID_BYTES = 16
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/

/**
 * A token that identifies a browser in which this person has signed in before (OWASP, device cookies). It does not sign
 * anyone in: it only separates their attempts from those of strangers. It ends with the password.
 */
export function mintDeviceToken(user: UserRecord): string {
  const deviceId = randomBytes(ID_BYTES).toString('base64url')
  return `${deviceId}.${sign(deviceId, user).toString('base64url')}`
}

/** Whether a text can be such a token, of any person. */
export function isDeviceToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN.test(text)
}

/** The id of the browser; `null` unless this person has signed in there with the current password. */
export function findDeviceId(token: string | undefined, user: UserRecord): string | null {
  const [, deviceId = '', signature = ''] = TOKEN.exec(token ?? '') ?? []
  if (deviceId === '' || user.passwordHash === null) return null
  return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(deviceId, user)) ? deviceId : null
}

/** The password hash is a secret that every node already has, and it changes with the password. */
function sign(deviceId: string, { id, passwordHash }: UserRecord): Buffer {
  return createHmac('sha256', passwordHash ?? '')
    .update(`device ${id} ${deviceId}`)
    .digest()
}
