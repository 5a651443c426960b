import type { DeclaredAttachment } from '@bugle/contract'

/** A file that was chosen, and is not sent yet. */
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

/** A file was not received. What declared it was. */
export class FileNotSent extends Error {}

/** Sends the bytes of files, each content once. Repeating it is safe. */
export async function sendFiles(
  files: readonly PreparedFile[],
  send: (file: FileContent) => Promise<unknown>,
): Promise<void> {
  const sent = new Set<string>()
  for (const { declared, bytes } of files) {
    const { name, sha256 } = declared
    if (sent.has(sha256)) continue
    sent.add(sha256)
    await send({ sha256, bytes }).catch((cause: unknown) => {
      throw new FileNotSent(name, { cause })
    })
  }
}

interface FileContent {
  readonly sha256: string
  readonly bytes: Uint8Array
}
