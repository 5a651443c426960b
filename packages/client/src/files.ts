import { type AttachmentReceipt, type Endpoint, endpoints } from '@bugle/contract'
import { ApiUnreachable, errorOf } from './problems.ts'
import { type Credentials, pathOf, requestOf } from './requests.ts'

/** Called with the bytes that were sent or received so far, and their total. */
export type OnProgress = (bytes: number, total: number) => void

export interface Upload extends FileUpload {
  /** The id of the report that declared the file. */
  readonly submissionId: string
}

export interface CommentUpload extends FileUpload {
  readonly issueId: string
  /** The id of the comment that declared the file. */
  readonly commentId: string
}

export interface TeamUpload extends Upload {
  /** The project of the issue. */
  readonly idOrSlug: string
}

interface FileUpload {
  /** The digest that was declared. */
  readonly sha256: string
  readonly bytes: Uint8Array
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface Download {
  readonly size: number
  readonly contentType: string
  /** The bytes as they arrive. Leaving the loop ends the request. */
  readonly bytes: AsyncIterable<Uint8Array>
}

interface DownloadOptions {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** Files of reports and comments, with progress. */
export interface FileCalls {
  /** Sends a file that a report declared. It can be repeated safely. */
  upload(file: Upload): Promise<AttachmentReceipt>
  /** Sends a file that a comment declared. It can be repeated safely. */
  uploadForComment(file: CommentUpload): Promise<AttachmentReceipt>
  /** Sends a file of an issue that the team created. It can be repeated safely. */
  uploadForTeam(file: TeamUpload): Promise<AttachmentReceipt>
  download(attachmentId: string, options?: DownloadOptions): Promise<Download>
}

interface FileOptions {
  readonly base: string
  readonly credentials: Credentials
  readonly fetch: typeof fetch
}

/** Between two calls of `onProgress`. */
const STEP_BYTES = 64 * 1024

export function createFileCalls({ base, credentials, fetch }: FileOptions): FileCalls {
  async function send(address: string, init: RequestInit): Promise<Response> {
    const response = await fetch(base + address, init).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause
      throw new ApiUnreachable(`${base} cannot be reached`, { cause })
    })
    if (!response.ok) throw errorOf(response, await response.text())
    return response
  }

  async function put(
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    { bytes, onProgress, signal }: FileUpload,
  ): Promise<AttachmentReceipt> {
    const init = requestOf(endpoint, credentials, { ...(signal && { signal }) })
    const response = await send(pathOf(endpoint, { params }), { ...init, ...bodyOf(bytes, onProgress) })
    onProgress?.(bytes.length, bytes.length)
    return (await response.json()) as AttachmentReceipt
  }

  return {
    upload: ({ submissionId, sha256, ...file }) =>
      put(endpoints.uploadAttachment, { submissionId, sha256 }, { sha256, ...file }),

    uploadForComment: ({ issueId: id, commentId, sha256, ...file }) =>
      put(endpoints.uploadCommentAttachment, { id, commentId, sha256 }, { sha256, ...file }),

    uploadForTeam: ({ idOrSlug, submissionId, sha256, ...file }) =>
      put(endpoints.uploadIssueAttachment, { idOrSlug, submissionId, sha256 }, { sha256, ...file }),

    async download(attachmentId, { onProgress, signal } = {}) {
      const params = { id: attachmentId }
      const endpoint = endpoints.downloadAttachment
      const init = requestOf(endpoint, credentials, { ...(signal && { signal }) })
      const response = await send(pathOf(endpoint, { params }), init)
      const size = Number(response.headers.get('content-length'))
      const contentType = response.headers.get('content-type') ?? 'application/octet-stream'
      return { size, contentType, bytes: readBytes(response, size, onProgress) }
    },
  }
}

/** With progress, the body is sent as a stream, which Node supports; elsewhere it is sent at once. */
function bodyOf(bytes: Uint8Array, onProgress: OnProgress | undefined): RequestInit {
  const content = new Uint8Array(bytes)
  if (onProgress === undefined || !canStream()) return { body: content }
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      onProgress(at, content.length)
      if (at >= content.length) return controller.close()
      controller.enqueue(content.subarray(at, at + STEP_BYTES))
      at = Math.min(content.length, at + STEP_BYTES)
    },
  })
  // Missing from the types of the DOM.
  const duplex: Record<string, string> = { duplex: 'half' }
  return { ...duplex, body }
}

/** Browsers stream a body only over HTTP/2 and later, which cannot be known in advance. */
function canStream(): boolean {
  return !('document' in globalThis)
}

async function* readBytes(
  { body }: Response,
  size: number,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (reader === undefined) return
  try {
    let received = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      received += value.length
      onProgress?.(received, size)
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
