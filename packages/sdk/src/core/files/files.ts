import {
  MAX_ATTACHMENT_NAME_CHARS,
  MAX_ATTACHMENTS,
  MAX_CONTENT_TYPE_CHARS,
} from '@bugle/contract/vocabulary'
import { findClient } from '../api.ts'
import type { Client } from '../client.ts'
import { guard } from '../guard.ts'
import { createSubmissionId } from '../reports/reports.ts'
import type { AttachedFile, DeclaredFile, ReportContent } from '../types.ts'
import type { FileStore, KeptFile } from './file-store.ts'
import { digest } from './sha256.ts'
import { createUploads } from './uploads.ts'

/** The default limits of the server. */
const MAX_FILE_BYTES = 10 * 2 ** 20
const MAX_REPORT_BYTES = 25 * 2 ** 20
const MAX_KEPT_BYTES = 50 * 2 ** 20
/** The text of a report waits for its files for this long. */
const KEEP_MS = 10_000
const CONTENT_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

/** Lets reports have files. They are stored before anything is sent, and sent after their report, until they have arrived. */
export function enableFilesIn(openStore: (scope: string) => FileStore): void {
  const client = findClient()
  if (!client || client._hasFiles) return
  client._hasFiles = true
  guard(addFiles)(client, openStore(client._core._scope))
}

/** Extends the client: its other parts know nothing of files. */
export function addFiles(client: Client, store: FileStore): void {
  const { _core: core, _capture: capture, _flush: flush, _close: close } = client
  const { _options: options, _platform: platform, _ledger: ledger } = core
  const uploads = createUploads(client, store)

  client._capture = async (draft, isFatal, id = createSubmissionId(platform._now(), platform._random)) => {
    const { attachments } = draft
    // A process that is exiting does not wait for files.
    if (!attachments?.[0] || isFatal) return capture({ ...draft, attachments: undefined }, isFatal, id)
    // Another person may use the app by the time the files are stored.
    const { reporter = {} } = client._complete(draft)
    client._sign?.(draft, id)
    const lost: string[] = []
    const declared = await keep(id, attachments, lost)
    const result = await capture({ ...draft, reporter, attachments: declared[0] && declared }, isFatal, id)
    const isDropped = result.status === 'dropped'
    for (const file of await listOf(id))
      await (isDropped ? store._remove(file.id) : store._put({ ...file, isReady: true }))
    void uploads._send()
    return lost[0] ? { ...result, trimmed: [...(result.trimmed ?? []), ...lost] } : result
  }

  async function listOf(id: string): Promise<readonly KeptFile[]> {
    const files = await store._list().catch(() => [])
    return files.filter(({ submissionId }) => submissionId === id)
  }

  /** Stores the files of a report, and returns those to declare. The names of the others are added to `lost`. */
  async function keep(
    submissionId: string,
    given: NonNullable<ReportContent['attachments']>,
    lost: string[],
  ): Promise<readonly DeclaredFile[]> {
    const declared = new Map<string, DeclaredFile>()
    let bytesOfReport = 0
    let cancel = () => {}
    const timeout = new Promise<boolean>((resolve) => {
      cancel = platform._wait(() => resolve(false), KEEP_MS)
    })

    async function keepOne(file: AttachedFile, name: string, contentType: string): Promise<boolean> {
      if (declared.size >= MAX_ATTACHMENTS || sizeOf(file) > MAX_FILE_BYTES) return false
      const bytes = await readBytes(file)
      const { length: size } = bytes
      if (size > MAX_FILE_BYTES || bytesOfReport + size > MAX_REPORT_BYTES) return false
      const sha256 = await digest(bytes)
      if (declared.has(sha256)) return true
      const id = `${submissionId}.${sha256}`
      await put({ id, submissionId, sha256, size, publicKey: options.publicKey, isReady: false }, bytes)
      bytesOfReport += size
      declared.set(sha256, { name, contentType, size, sha256 })
      return true
    }

    for (const [index, file] of given.entries()) {
      const { name, contentType } = describeFile(file, index)
      const kept = keepOne(file as AttachedFile, name, contentType).catch(() => false)
      if (await Promise.race([kept, timeout])) continue
      lost.push(`attachments.${name}`)
      ledger._count('file')
    }
    cancel()
    return [...declared.values()]
  }

  /** Stores a file. If there is no space for it, the oldest files are dropped first. Their reports are not affected. */
  async function put(file: KeptFile, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const files = await store._list()
    const others = files.filter(({ submissionId }) => submissionId !== file.submissionId)
    let total = files.reduce((sum, { size }) => sum + size, file.size)
    for (;;) {
      const isStored =
        total <= MAX_KEPT_BYTES &&
        (await store._put(file, bytes).then(
          () => true,
          () => false,
        ))
      if (isStored) return
      const oldest = others.shift()
      if (!oldest) throw Error('no space')
      total -= oldest.size
      ledger._count('file')
      await store._remove(oldest.id)
    }
  }

  client._flush = async (timeoutMs) => {
    const isEmpty = await flush(timeoutMs)
    return (await uploads._flush(timeoutMs)) && isEmpty
  }
  client._close = async (timeoutMs) => {
    await uploads._flush(timeoutMs)
    uploads._stop()
    await close(timeoutMs)
  }
  void uploads._send()
}

function describeFile(file: unknown, index: number): { readonly name: string; readonly contentType: string } {
  const { name, type, contentType = type } = Object(file) as Record<string, unknown>
  const text = `${name || `file-${index + 1}`}`.replaceAll('\0', '')
  const media = `${contentType}`.split(';')[0] as string
  return {
    name: [...text].slice(0, MAX_ATTACHMENT_NAME_CHARS).join(''),
    contentType:
      CONTENT_TYPE.test(media) && media.length <= MAX_CONTENT_TYPE_CHARS ? media : 'application/octet-stream',
  }
}

/** The size, as far as it is known before the file is read. */
function sizeOf(file: AttachedFile): number {
  const content = contentOf(file)
  return content instanceof Blob ? content.size : content.length
}

async function readBytes(file: AttachedFile): Promise<Uint8Array<ArrayBuffer>> {
  const content = contentOf(file)
  if (typeof content === 'string') return new TextEncoder().encode(content)
  // A copy, because the app may change its own.
  return new Uint8Array(content instanceof Blob ? await content.arrayBuffer() : content)
}

function contentOf(file: AttachedFile): Blob | Uint8Array | string {
  return 'content' in file ? file.content : file
}
