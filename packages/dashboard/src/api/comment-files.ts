import type { DeclaredAttachment } from '@bugle/contract'
import { client } from './client.ts'

/** A file that was chosen for a comment, and is not sent yet. */
export interface ChosenFile {
  readonly id: number
  readonly file: File
}

let lastId = 0

export function chooseFile(file: File): ChosenFile {
  return { id: ++lastId, file }
}

/** The declaration of a file, and its bytes. */
export interface PreparedFile {
  readonly declared: DeclaredAttachment
  readonly bytes: Uint8Array<ArrayBuffer>
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

export async function prepareFiles(files: readonly ChosenFile[]): Promise<readonly PreparedFile[]> {
  const prepared: PreparedFile[] = []
  // One after the other: a browser may have little memory.
  for (const { file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const [type = ''] = file.type.split(';')
    prepared.push({
      bytes,
      declared: {
        name: file.name === '' ? 'file' : file.name.slice(-200),
        contentType: MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
        size: bytes.length,
        sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
      },
    })
  }
  return prepared
}

interface CommentPlace {
  readonly issueId: string
  readonly commentId: string
}

/** A file was not received; the comment was. */
export class FileNotSent extends Error {}

/** Sends the bytes of the files of a comment. Repeating it is safe. */
export async function sendFiles(place: CommentPlace, files: readonly PreparedFile[]): Promise<void> {
  const sent = new Set<string>()
  for (const { declared, bytes } of files) {
    const { name, sha256 } = declared
    if (sent.has(sha256)) continue
    sent.add(sha256)
    await client.uploadForComment({ ...place, sha256, bytes }).catch((cause: unknown) => {
      throw new FileNotSent(name, { cause })
    })
  }
}
