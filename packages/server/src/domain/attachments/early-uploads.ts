import type { OmissionReason } from '@bugle/contract'
import type { ProjectId } from '../../model/ids.ts'
import type { ReceiveOutcome } from '../../model/reports/attachments.ts'
import { createByteBlocks } from '../../model/sentry/byte-blocks.ts'
import type { FileSink } from '../../model/sentry/envelope-reader.ts'
import { type FileName, mintFileName } from '../../storage/files/file-store.ts'
import { actorOf, type Caller } from '../access/access.ts'
import type { RateLimiter } from '../access/rate-limits.ts'
import type { Hold } from '../access/shared-pool.ts'
import { DomainError } from '../domain-error.ts'
import { checkBytes } from './checked-bytes.ts'
import { detectType } from './detect-type.ts'
import { createReception, receiveAll, toDomainError, type UploadDependencies } from './uploads.ts'

/** What may wait in memory for the store, for each file in progress. */
const WAITING_BYTES = 64 * 1024
/** A request is read this far ahead of the store: pieces of one byte each take hundreds until they are read. */
const MOST_WAITING_BYTES = 3 * WAITING_BYTES
/** What the files of a report leave waiting between flushes, at most. More is counted. */
const UNCOUNTED_BYTES = 4 * WAITING_BYTES

/** A report waits this long for the store, for all of its files together. */
const STORE_PATIENCE_MS = 10_000

/** Stores files that arrive together with their report, before it: what becomes of them is then known when the report is stored. */
export interface EarlyUploads {
  /** What waits for the store is counted in `memory`; a file for which there is no room is omitted. */
  open(memory: Memory): FileBatch
}

type Memory = Pick<Hold, 'take' | 'giveBack'>

/** The files of one report. Those that have not been received are removed at the end. */
export interface FileBatch extends Disposable {
  /** Where the bytes of a file go. */
  add(size: number): FileSink
  /** Starts to store what has been written so far, and does not wait for the store. */
  begin(sender: FileSender): void
  /** Stores what has been written so far. A file that cannot be taken is omitted; that is no failure. */
  flush(sender: FileSender): Promise<void>
  /** Why the file was omitted; `null` if it is stored. To be called after the last flush. */
  omissionOf(sink: FileSink): OmissionReason | null
  /** Makes a stored file of a report visible. */
  receive(sink: FileSink, sender: FileSender, place: FilePlace): Promise<ReceiveOutcome>
}

export interface FileSender {
  readonly caller: Caller
  readonly projectId: ProjectId
  /** The client's address. */
  readonly address: string
}

interface FilePlace {
  readonly submissionId: string
  readonly sha256: string
}

type EarlyUploadDependencies = Omit<UploadDependencies, 'catalog' | 'finder'> & {
  /** Absent if rate limits are off. */
  readonly limiter: RateLimiter | undefined
}

interface StoredFile {
  readonly name: FileName
  readonly contentType: string | null
}

interface IncomingFile {
  readonly size: number
  readonly channel: Channel
  /** Set once it is being stored. */
  stored: Promise<StoredFile | OmissionReason> | undefined
  outcome: StoredFile | OmissionReason
  endReservation: () => void
}

export function createEarlyUploads(parts: EarlyUploadDependencies): EarlyUploads {
  const { storage, store, room, budgets, slots, clock, limiter, onReceived } = parts
  const receiveFile = createReception(parts)

  /** By the same limits as any upload. */
  async function storeFile(
    file: IncomingFile,
    { caller, projectId, address }: FileSender,
  ): Promise<StoredFile | OmissionReason> {
    const { size, channel } = file
    const client = `${actorOf(caller)} ${address}`
    using slot = slots.open(() => ({ projectId, client }))
    slot.take(1)
    // A file counts as one upload, in whatever request it arrives.
    const upload = { caller, address, isSubmission: false, isUpload: true }
    if (limiter?.judge(upload, clock()).exceeded) return 'rate-limited'
    const projectBytes = await storage.attachments.projectBytes(projectId)
    file.endReservation = await room.reserve({ projectId, projectBytes, attachment: { size } })
    const settle = budgets.take(client, size, clock())
    const checked = checkBytes(receiveAll(slot, channel.read()), { size, sha256: null })
    const name = mintFileName(projectId)
    try {
      await store.put({ name, size, sha256: null }, checked.bytes)
    } finally {
      settle(checked.length)
      onReceived(checked.length)
    }
    return { name, contentType: await detectType(checked.head()) }
  }

  async function storeOrOmit(file: IncomingFile, sender: FileSender): Promise<StoredFile | OmissionReason> {
    if (file.channel.isClosed) return file.outcome
    try {
      file.outcome = await storeFile(file, sender)
    } catch (error) {
      file.outcome = reasonOf(toDomainError(error))
    } finally {
      file.channel.close()
    }
    return file.outcome
  }

  async function discard({ outcome, endReservation }: IncomingFile): Promise<void> {
    endReservation()
    if (typeof outcome === 'object') await store.remove(outcome.name)
  }

  return {
    open(memory) {
      const files = new Map<FileSink, IncomingFile>()
      const arriving = new Set<IncomingFile>()
      const countWaiting = counterIn(memory)
      const withPatience = createPatience()
      let last: Promise<unknown> = Promise.resolve()

      /** One file after another, so that a report takes one slot. */
      function begin(file: IncomingFile, sender: FileSender): Promise<StoredFile | OmissionReason> {
        const stored = last.then(() => storeOrOmit(file, sender))
        // An unexpected error is thrown by the next flush.
        last = stored.catch(() => undefined)
        return stored
      }

      return {
        add(size) {
          const channel = createChannel(countWaiting)
          const file: IncomingFile = {
            ...{ size, channel, stored: undefined, outcome: 'server-busy' },
            endReservation: () => undefined,
          }
          files.set(channel, file)
          arriving.add(file)
          return channel
        },

        begin(sender) {
          for (const file of arriving) file.stored ??= begin(file, sender)
        },

        async flush(sender) {
          for (const file of arriving) {
            const { channel } = file
            file.stored ??= begin(file, sender)
            if (channel.isEnded) {
              await withPatience(file.stored, channel.close)
              arriving.delete(file)
            } else if (channel.isFull) await withPatience(channel.drain(), channel.close)
          }
        },

        omissionOf(sink) {
          const outcome = files.get(sink)?.outcome ?? 'server-busy'
          return typeof outcome === 'string' ? outcome : null
        },

        async receive(sink, { caller, projectId }, place) {
          const file = files.get(sink)
          if (file === undefined || typeof file.outcome === 'string') return { kind: 'missing' }
          const sender = { actor: actorOf(caller), place: { projectId, ...place } }
          // The reservation ends before the commit, which checks the project's limit again and counts the file.
          file.endReservation()
          files.delete(sink)
          return await receiveFile(sender, file.outcome)
        },

        [Symbol.dispose]() {
          for (const file of files.values()) {
            file.channel.close()
            // Not awaited: the store may take long to give up. If this fails, the sweeper removes the file.
            file.stored
              ?.catch(() => undefined)
              .then(() => discard(file))
              .catch(() => undefined)
          }
        },
      }
    },
  }
}

function reasonOf(error: unknown): OmissionReason {
  if (!(error instanceof DomainError)) throw error
  if (error.code === 'insufficient-storage') return 'no-space'
  return error.code === 'rate-limited' ? 'rate-limited' : 'server-busy'
}

/** Waits for work of the store, until all that it was waited for has taken {@link STORE_PATIENCE_MS}. */
function createPatience() {
  let leftMs = STORE_PATIENCE_MS
  return async (work: Promise<unknown>, onOver: () => void): Promise<void> => {
    const over = Promise.withResolvers<void>()
    const began = performance.now()
    const timer = setTimeout(() => {
      onOver()
      over.resolve()
    }, leftMs)
    try {
      await Promise.race([work, over.promise])
    } finally {
      clearTimeout(timer)
      leftMs = Math.max(0, leftMs - (performance.now() - began))
    }
  }
}

function givenUp(): DomainError {
  return new DomainError('unavailable', { detail: 'The file did not arrive completely.' })
}

/** Counts the bytes of a report that wait for the store. Throws `unavailable` if there is no room for more. */
function counterIn(memory: Memory): (change: number) => void {
  let waiting = 0
  let counted = 0
  return (change) => {
    waiting += change
    const due = Math.max(0, waiting - UNCOUNTED_BYTES)
    if (due > counted) memory.take(due - counted)
    else memory.giveBack(counted - due)
    counted = due
  }
}

/** Passes bytes from the reader of a request to the store. */
interface Channel extends FileSink {
  readonly isEnded: boolean
  readonly isClosed: boolean
  /** The bytes that were written. Fails if the channel is closed before their end: the upload then gives way until the store has ended it. */
  read(): AsyncGenerator<Uint8Array>
  /** More should be written only once the store has caught up. */
  readonly isFull: boolean
  /** Resolves once the store has caught up. */
  drain(): Promise<void>
  /** Discards what was written and what will be. */
  close(): void
}

function createChannel(countWaiting: (change: number) => void): Channel {
  // Copied into blocks: pieces of one byte would each take hundreds in memory.
  let waiting = createByteBlocks()
  let unread = 0
  let isEnded = false
  let isClosed = false
  let onWritten = () => {}
  let onRead = () => {}

  function changeUnread(change: number): void {
    unread += change
    countWaiting(change)
  }

  /** The store gets large blocks: pieces of one byte would each take hundreds on their way. */
  function isReady(): boolean {
    return waiting.size >= WAITING_BYTES || (isEnded && waiting.size > 0)
  }

  function close(): void {
    isClosed = true
    waiting = createByteBlocks()
    changeUnread(-unread)
    onWritten()
    onRead()
  }

  return {
    get isEnded() {
      return isEnded
    },
    get isClosed() {
      return isClosed
    },
    write(bytes) {
      if (isClosed) return
      try {
        changeUnread(bytes.length)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        close()
        return
      }
      waiting.push(bytes)
      if (isReady()) onWritten()
    },
    end() {
      isEnded = true
      onWritten()
    },
    async *read() {
      for (;;) {
        if (isReady()) {
          const blocks = waiting.blocks()
          waiting = createByteBlocks()
          for (const block of blocks) {
            yield block
            if (isClosed) break
            changeUnread(-block.length)
          }
          onRead()
        } else if (isClosed) throw givenUp()
        else if (isEnded) return
        else
          await new Promise<void>((resolve) => {
            onWritten = resolve
          })
      }
    },
    get isFull() {
      return !isClosed && waiting.size >= MOST_WAITING_BYTES
    },
    drain: () =>
      new Promise((resolve) => {
        onRead = resolve
      }),
    close,
  }
}
