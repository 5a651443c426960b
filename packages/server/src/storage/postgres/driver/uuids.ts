import { encodeId, type IdPrefix, idToBytes } from '../../../model/ids.ts'

/** An id as PostgreSQL reads it: its 16 bytes are a UUID of version 8. */
export function uuidOf(id: string): string {
  return Buffer.from(idToBytes(id)).toString('hex')
}

/** The id of a UUID as PostgreSQL writes it. */
export function idOf<P extends IdPrefix>(prefix: P, uuid: string): `${P}_${string}` {
  return encodeId(prefix, Buffer.from(uuid.replaceAll('-', ''), 'hex'))
}
