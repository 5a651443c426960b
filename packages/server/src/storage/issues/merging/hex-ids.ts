import { encodeId, type IssueId, idToBytes } from '../../../model/ids.ts'

/** The bytes of an issue's id in hexadecimal, as columns that refer to an issue by its id store them. */
export function hexOfId(id: IssueId): string {
  return Buffer.from(idToBytes(id)).toString('hex')
}

export function idOfHex(hex: string): IssueId {
  return encodeId('iss', Buffer.from(hex, 'hex'))
}
