import { createHash, type Hash } from 'node:crypto'
import { MAX_ATTACHMENT_NAME_CHARS, MAX_CONTENT_TYPE_CHARS } from '@bugle/contract/vocabulary'
import { type ByteBlocks, createByteBlocks } from './byte-blocks.ts'
import { type Fields, fieldsOf, textOf } from './values.ts'

/**
 * Reads an envelope as its bytes arrive, and holds only the texts that are kept of it; files are passed on. The format is described in Sentry's developer
 * documentation, "Envelopes", section "Data Format".
 */
export interface EnvelopeReader {
  /** The header of the envelope; `undefined` until it has arrived. */
  readonly header: EnvelopeHeader | undefined
  /** Reads the header of the envelope, as {@link push} does, and nothing after it. Returns what follows. */
  readHeader(chunk: Uint8Array): Uint8Array
  /** Fails with {@link MalformedEnvelope} if the header of the envelope is malformed. What is kept of the chunk is copied. */
  push(chunk: Uint8Array): void
  /** No more bytes follow. */
  end(): readonly EnvelopeItem[]
  /** Frees the memory of an envelope that is refused before its end. */
  discard(): void
}

/** What is read of the header of an envelope. The rest is not kept: parsed, a few bytes can take hundreds in memory. */
export interface EnvelopeHeader {
  readonly eventId?: string | undefined
  readonly dsn?: string | undefined
}

export interface EnvelopeItem {
  readonly type: string
  /** The bytes of a text; `null` if they were not kept. */
  readonly payload: Payload | null
  /** A file that was passed on completely. */
  readonly file: PassedFile | null
  /** Whether the envelope ends before the item does, or does not continue with a new line after it. */
  readonly isMalformed: boolean
}

export interface Payload {
  readonly chunks: readonly Uint8Array[]
  readonly size: number
}

/** Where the bytes of a file go. */
export interface FileSink {
  /** The bytes are valid only during the call. */
  write(bytes: Uint8Array): void
  /** All bytes have been written. */
  end(): void
}

export interface PassedFile {
  readonly sink: FileSink
  readonly name: string | undefined
  readonly contentType: string | undefined
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
}

export interface ReaderBounds {
  /** The most bytes to keep of a text; 0: the item is skipped. Asked once for each item that is no file. */
  maxBytesOf(type: string): number
  /** Called before this many more bytes are kept in memory. Fails if they may not be. */
  takeBytes(count: number): void
  /** Called for bytes that were taken, and are not kept after all. */
  returnBytes(count: number): void
  /** Where the bytes of a file of this size go; `null`: it is skipped. Asked once for each file whose size is known. */
  openFile(size: number): FileSink | null
}

/** The header of the envelope is not a JSON object on a line of its own. */
export class MalformedEnvelope extends Error {
  override readonly name = 'MalformedEnvelope'
}

export const ATTACHMENT = 'attachment'
/** The type that stands for what follows a malformed item. */
export const MALFORMED = 'malformed'
/** The type of items whose type is too long to be one of the protocol. */
const UNKNOWN = 'unknown'
const NEWLINE = 0x0a
/** Of the header of the envelope, which can have a trace of 8 KiB and the names of all packages. */
const MAX_HEADER_BYTES = 64 * 1024
/** SDKs send a type, a length, a content type and the name of a file: 255 characters, with up to twelve bytes each if they are escaped. */
const MAX_ITEM_HEADER_BYTES = 4 * 1024
/** All lines that are no payload, so that parsing them takes milliseconds. As many items as may be have 200 bytes each. */
const MAX_HEADERS_BYTES = 256 * 1024
const MAX_TYPE_CHARS = 32
const MAX_DSN_CHARS = 1_000
/** A UUID with hyphens. */
const MAX_ID_CHARS = 36
/** The protocol has no limit. An envelope with more has nothing of use after them. */
const MAX_ITEMS = 1_000

interface OpenItem {
  readonly type: string
  readonly maxBytes: number
  /** The bytes that are missing; `null`: up to the next newline. */
  missing: number | null
  /** What is kept of it; `null`: nothing. */
  kept: ByteBlocks | null
  size: number
  readonly file: (Pick<PassedFile, 'sink' | 'name' | 'contentType'> & { readonly hash: Hash }) | null
}

export function createEnvelopeReader(bounds: ReaderBounds): EnvelopeReader {
  const items: EnvelopeItem[] = []
  const kept: ByteBlocks[] = []
  let header: EnvelopeHeader | undefined
  let headersBytes = 0
  let line = createByteBlocks()
  let item: OpenItem | undefined
  let awaitsNewline = false
  let isOver = false

  function readLine(chunk: Uint8Array): Uint8Array {
    const end = chunk.indexOf(NEWLINE)
    const part = end === -1 ? chunk : chunk.subarray(0, end)
    headersBytes += part.length + 1
    const maxLine = header === undefined ? MAX_HEADER_BYTES : MAX_ITEM_HEADER_BYTES
    if (line.size + part.length > maxLine || headersBytes > MAX_HEADERS_BYTES) {
      giveUp()
      return chunk.subarray(chunk.length)
    }
    line.push(part)
    if (end === -1) return chunk.subarray(chunk.length)
    finishLine()
    return chunk.subarray(end + 1)
  }

  function finishLine(): void {
    const text = Buffer.concat(line.blocks()).toString()
    line = createByteBlocks()
    if (header === undefined) header = toHeader(parseHeader(text) ?? fail())
    // An empty line between items is not allowed, and harmless.
    else if (text.trim() !== '') openItem(parseHeader(text))
  }

  function openItem(found: Fields | undefined): void {
    const type = found?.['type']
    const length = found?.['length'] ?? null
    const isLength =
      length === null || (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0)
    if (found === undefined || typeof type !== 'string' || !isLength || items.length >= MAX_ITEMS) {
      giveUp()
      return
    }
    const maxBytes = type === ATTACHMENT ? 0 : bounds.maxBytesOf(type)
    const fits = typeof length !== 'number' || length <= maxBytes
    item = {
      type: type.length > MAX_TYPE_CHARS ? UNKNOWN : type,
      maxBytes,
      missing: typeof length === 'number' ? length : null,
      kept: maxBytes > 0 && fits ? createByteBlocks() : null,
      size: 0,
      file: type === ATTACHMENT && typeof length === 'number' ? openFile(found, length) : null,
    }
    if (item.kept !== null) kept.push(item.kept)
    if (item.missing === 0) closeItem(item, false)
  }

  function openFile(found: Fields, size: number): OpenItem['file'] {
    const sink = bounds.openFile(size)
    return (
      sink && {
        sink,
        name: textOf(found['filename'], MAX_ATTACHMENT_NAME_CHARS),
        contentType: textOf(found['content_type'], MAX_CONTENT_TYPE_CHARS),
        hash: createHash('sha256'),
      }
    )
  }

  function readPayload(open: OpenItem, chunk: Uint8Array): Uint8Array {
    if (open.missing === null) {
      const end = chunk.indexOf(NEWLINE)
      keep(open, end === -1 ? chunk : chunk.subarray(0, end))
      if (end === -1) return chunk.subarray(chunk.length)
      closeItem(open, false)
      awaitsNewline = false
      return chunk.subarray(end + 1)
    }
    const part = chunk.subarray(0, open.missing)
    keep(open, part)
    open.missing -= part.length
    if (open.missing === 0) closeItem(open, false)
    return chunk.subarray(part.length)
  }

  function keep(open: OpenItem, part: Uint8Array): void {
    open.size += part.length
    open.file?.hash.update(part)
    open.file?.sink.write(part)
    if (open.kept === null || part.length === 0) return
    if (open.size > open.maxBytes) {
      bounds.returnBytes(open.kept.size)
      open.kept.free()
      open.kept = null
      return
    }
    bounds.takeBytes(part.length)
    open.kept.push(part)
  }

  function closeItem({ type, kept: text, size, file }: OpenItem, isMalformed: boolean): void {
    const payload = text && { chunks: text.blocks(), size }
    const passed = file && !isMalformed ? passedFile(file, size) : null
    passed?.sink.end()
    items.push({ type, payload, file: passed, isMalformed })
    item = undefined
    awaitsNewline = true
  }

  /** Without a valid header or length, nothing that follows can be found. */
  function giveUp(): void {
    if (header === undefined) fail()
    items.push({ type: MALFORMED, payload: null, file: null, isMalformed: true })
    isOver = true
  }

  return {
    get header() {
      return header
    },
    readHeader: (chunk) => (header === undefined && chunk.length > 0 ? readLine(chunk) : chunk),
    push(chunk) {
      let rest = chunk
      while (rest.length > 0 && !isOver) {
        if (item !== undefined) rest = readPayload(item, rest)
        else if (awaitsNewline) {
          awaitsNewline = false
          if (rest[0] === NEWLINE) rest = rest.subarray(1)
          else giveUp()
        } else rest = readLine(rest)
      }
    },
    end() {
      if (isOver) return items
      if (item !== undefined) closeItem(item, item.missing !== null)
      else if (line.size > 0 || header === undefined) finishLine()
      // The header of an item without its payload: complete only if the payload is empty.
      if (item !== undefined) closeItem(item, item.missing !== null)
      return items
    },
    discard() {
      for (const bytes of kept) bytes.free()
    },
  }
}

function toHeader(fields: Fields): EnvelopeHeader {
  return {
    eventId: shortText(fields['event_id'], MAX_ID_CHARS),
    dsn: shortText(fields['dsn'], MAX_DSN_CHARS),
  }
}

function shortText(value: unknown, maxChars: number): string | undefined {
  return typeof value === 'string' && value.length <= maxChars ? value : undefined
}

function passedFile(
  { sink, name, contentType, hash }: NonNullable<OpenItem['file']>,
  size: number,
): PassedFile {
  return { sink, name, contentType, size, sha256: hash.digest('hex') }
}

function parseHeader(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function fail(): never {
  throw new MalformedEnvelope('The first line must be a JSON object.')
}
