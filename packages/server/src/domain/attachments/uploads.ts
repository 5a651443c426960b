import { type AttachmentReceipt, endpoints, isCommentId } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../model/events.ts'
import type { ProjectId } from '../../model/ids.ts'
import {
  type AttachmentRecord,
  type Declaration,
  type DeclarationPlace,
  type ReceiveOutcome,
  stateOfKept,
} from '../../model/reports/attachments.ts'
import {
  type FileName,
  type FileStore,
  FileStoreFull,
  FileStoreUnavailable,
  mintFileName,
} from '../../storage/files/file-store.ts'
import type { Storage } from '../../storage/storage.ts'
import { actorOf, type Caller, requireSight } from '../access/access.ts'
import type { Hold, SharedPool } from '../access/shared-pool.ts'
import { requireSubmitter } from '../access/submitters.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { notAuthor } from '../issues/comments.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { Catalog } from '../projects/catalog.ts'
import type { AttachmentLimits } from './attachment-limits.ts'
import type { ByteBudgets } from './byte-budgets.ts'
import { type CheckedBytes, checkBytes, WrongBytes } from './checked-bytes.ts'
import { isUploadId } from './declarations.ts'
import { detectType } from './detect-type.ts'
import { noRoom, projectFull, type Room } from './room.ts'

const DIGEST = /^[0-9a-f]{64}$/
/** After how many seconds the store may be available again. */
const RETRY_STORE_SECONDS = 30

export interface Uploads {
  /** Receives the bytes of a file that a report declared. Repeating it changes nothing. */
  upload(caller: Caller, upload: ReportUpload): Promise<Uploaded>
  /** The same for a file of an issue that the team created. */
  uploadForTeam(caller: Caller, idOrSlug: string, upload: ReportUpload): Promise<Uploaded>
  /** The same for a file of a comment. Only the author of the comment can send it. */
  uploadForComment(caller: Caller, upload: CommentUpload): Promise<Uploaded>
}

export interface ReportUpload extends Upload {
  readonly submissionId: string
}

export interface CommentUpload extends Upload {
  /** The issue. */
  readonly id: string
  readonly commentId: string
}

interface Upload {
  readonly sha256: string
  /** The announced length; `null` if there is none. */
  readonly length: number | null
  readonly bytes: AsyncIterable<Uint8Array>
  /** The client's address. */
  readonly address: string
  /** Called before the bytes are read. */
  readonly onSize: (size: number) => void
}

export interface Uploaded {
  readonly kind: 'received' | 'repeated'
  readonly receipt: AttachmentReceipt
}

interface ReceptionDependencies {
  readonly storage: Pick<Storage, 'attachments'>
  readonly store: FileStore
  readonly clock: Clock
  readonly limits: AttachmentLimits
}

export interface UploadDependencies extends ReceptionDependencies {
  readonly storage: Pick<Storage, 'attachments' | 'comments'>
  readonly catalog: Catalog
  readonly finder: IssueFinder
  readonly room: Room
  readonly budgets: ByteBudgets
  /** The uploads in progress. */
  readonly slots: SharedPool
  /** Called with the number of bytes that were received. */
  readonly onReceived: (bytes: number) => void
}

export function createUploads(parts: UploadDependencies): Uploads {
  const { storage, store, catalog, finder, clock, room, budgets, slots, onReceived } = parts
  const receiveFile = createReception(parts)

  /**
   * Stores the bytes, even if the project has them already: the time that this takes must not tell the sender. A repeated
   * upload is only checked, because its sender knows.
   */
  async function storeBytes(declaration: Declaration, checked: CheckedBytes): Promise<FileName | null> {
    const { attachment, projectId } = declaration
    if (isRepeated(attachment)) {
      for await (const _ of checked.bytes);
      return null
    }
    const name = mintFileName(projectId)
    await store.put({ name, size: attachment.size, sha256: attachment.sha256 }, checked.bytes)
    return name
  }

  /** Reads the bytes within the client's budget. */
  async function readBytes(client: string, declaration: Declaration, upload: Upload, checked: CheckedBytes) {
    const { size } = declaration.attachment
    const settle = budgets.take(client, size, clock())
    upload.onSize(size)
    try {
      return await storeBytes(declaration, checked)
    } finally {
      settle(checked.length)
      onReceived(checked.length)
    }
  }

  async function handle(sender: Sender, declaration: Declaration, upload: Upload): Promise<ReceiveOutcome> {
    const { projectId, attachment } = declaration
    const client = `${sender.actor} ${upload.address}`
    using slot = slots.open(() => ({ projectId, client }))
    slot.take(1)
    const checked = checkBytes(receiveAll(slot, upload.bytes), attachment)
    try {
      // A repeated upload needs no space.
      const endReservation = isRepeated(attachment) ? () => {} : await room.reserve(declaration)
      // The reservation ends before the commit, which checks the project's limit again and counts the file.
      const name = await readBytes(client, declaration, upload, checked).finally(endReservation)
      const contentType = await detectType(checked.head())
      return await receiveFile(sender, { name, contentType })
    } catch (error) {
      throw toDomainError(error)
    }
  }

  async function accept(sender: Sender, upload: Upload): Promise<Uploaded> {
    const { sha256, length } = upload
    const declaration = await storage.attachments.findDeclaration(sender.place)
    if (declaration === undefined) throw notFound()
    const { id, size } = declaration.attachment
    if (length !== null && length !== size) throw refusalOf(new WrongBytes(length, size))
    const receipt = { id, size, sha256, omitted: false }
    if (!declaration.isKept) return { kind: 'repeated', receipt: { ...receipt, omitted: true } }
    const outcome = await handle(sender, declaration, upload)
    return answerTo(outcome, receipt)
  }

  return {
    async upload(caller, upload) {
      const { key, project } = await requireSubmitter(caller, endpoints.uploadAttachment.access, catalog)
      return accept(placeInReport(key.id, project.id, upload), upload)
    },

    async uploadForTeam(caller, idOrSlug, upload) {
      const project = await catalog.findProject(idOrSlug)
      requireSight(caller, endpoints.uploadIssueAttachment.access, project)
      if (project === undefined) throw notFound()
      return accept(placeInReport(actorOf(caller), project.id, upload), upload)
    },

    async uploadForComment(caller, upload) {
      const { access } = endpoints.uploadCommentAttachment
      const { issue } = await finder.requireIssue(caller, access, upload.id)
      const { projectId, issueNumber } = issue
      const { commentId, sha256 } = upload
      if (!isCommentId(commentId) || !DIGEST.test(sha256)) throw notFound()
      const [comment] = await storage.comments.findSome(projectId, [{ issueNumber, id: commentId }])
      if (comment === undefined) throw notFound()
      const actor = actorOf(caller)
      if (comment.author !== actor) throw notAuthor()
      return accept({ actor, place: { projectId, issueNumber, commentId, sha256 } }, upload)
    },
  }
}

export type ReceiveFile = (
  sender: Sender,
  /** The name is `null` if the upload was repeated. */
  file: { readonly name: FileName | null; readonly contentType: string | null },
) => Promise<ReceiveOutcome>

/** Makes stored bytes visible, or removes them if they are not needed. */
export function createReception({ storage, store, clock, limits }: ReceptionDependencies): ReceiveFile {
  return async ({ place, actor }, { name, contentType }) => {
    const outcome = await storage.attachments.receive({
      ...place,
      actor,
      at: clock(),
      stored: name === null ? null : { file: name, contentType },
      maxProjectBytes: limits.project,
    })
    // The response does not wait for it: how long it takes must not tell what the project has. If this fails, or the process is
    // killed before it, the sweeper removes the file.
    if (name !== null && !('isUsed' in outcome && outcome.isUsed)) store.remove(name).catch(() => undefined)
    return outcome
  }
}

/** Once all bytes have arrived, the upload no longer gives way to others: the rest does not depend on the client. */
export async function* receiveAll(slot: Hold, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* slot.receive(bytes)
  slot.keep()
}

/** Who sends a file, and what it belongs to. */
export interface Sender {
  readonly actor: Actor
  readonly place: DeclarationPlace
}

function placeInReport(actor: Actor, projectId: ProjectId, { submissionId, sha256 }: ReportUpload): Sender {
  if (!isUploadId(submissionId) || !DIGEST.test(sha256)) throw notFound()
  return { actor, place: { projectId, submissionId, sha256 } }
}

function answerTo({ kind }: ReceiveOutcome, receipt: AttachmentReceipt): Uploaded {
  switch (kind) {
    case 'received':
    case 'repeated':
      return { kind, receipt }
    case 'omitted':
      return { kind: 'repeated', receipt: { ...receipt, omitted: true } }
    case 'missing':
      throw notFound()
    case 'full':
      throw projectFull()
    case 'gone':
      throw new DomainError('unavailable', {
        detail: 'The same file was being removed. Upload it again.',
        retryAfterSeconds: 1,
      })
  }
}

/** What is damaged is received again. */
function isRepeated(attachment: AttachmentRecord): boolean {
  return stateOfKept(attachment) === 'received'
}

function refusalOf({ length, size }: WrongBytes): DomainError {
  const declared = size.toLocaleString('en')
  if (length > size) {
    return new DomainError('content-too-large', {
      detail: `The report declared ${declared} bytes for this file; the body has more.`,
    })
  }
  return new DomainError('digest-mismatch', {
    detail:
      length === size
        ? 'The SHA-256 of the body is not the declared one. Nothing was stored.'
        : `The body has ${length.toLocaleString('en')} bytes; the report declared ${declared}. Nothing was stored.`,
  })
}

export function toDomainError(error: unknown): unknown {
  if (error instanceof WrongBytes) return refusalOf(error)
  if (error instanceof FileStoreFull) return noRoom('The disk for files is full.')
  if (!(error instanceof FileStoreUnavailable)) return error
  return new DomainError('unavailable', {
    detail: 'Files cannot be stored right now. The report or the comment itself is stored. Try again later.',
    cause: error,
    retryAfterSeconds: RETRY_STORE_SECONDS,
  })
}
