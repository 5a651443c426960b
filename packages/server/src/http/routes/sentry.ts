import { MAX_SENTRY_EVENT_BYTES, sentryEndpoints } from '@bugle/contract/sentry'
import type { FastifyRequest } from 'fastify'
import { actorOf, type Caller } from '../../domain/access/access.ts'
import type { Hold, Holder, SharedPool } from '../../domain/access/shared-pool.ts'
import type { AttachmentLimits } from '../../domain/attachments/attachment-limits.ts'
import type { FileBatch } from '../../domain/attachments/early-uploads.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { Turns } from '../../domain/events/turns.ts'
import type { EnvelopeSender, Envelopes } from '../../domain/sentry/envelopes.ts'
import { createByteBlocks } from '../../model/sentry/byte-blocks.ts'
import {
  ATTACHMENT,
  createEnvelopeReader,
  type EnvelopeHeader,
  type EnvelopeItem,
  type FileSink,
  MalformedEnvelope,
  type Payload,
} from '../../model/sentry/envelope-reader.ts'
import { type MappedEnvelope, mapEnvelope, READ_TYPES } from '../../model/sentry/map-envelope.ts'
import { clientOf } from '../gates/client-address.ts'
import type { Connections } from '../gates/connections.ts'
import { keyInDsn } from '../gates/sentry-key.ts'
import { createBodyDecoder, type DecodeBounds, isUnpackedAlone, tooLarge } from '../input/decode-body.ts'
import { parseJson } from '../input/parse-body.ts'
import { bodyOf, lengthOf } from '../input/raw-body.ts'
import { answer, type Bind, type Call } from '../route.ts'

/** SDKs keep a limit for as long as it says, so that they hardly ever send what is not kept. */
const NOT_KEPT_SECONDS = 86_400
/** The categories of what is not kept ("Rate Limiting", section "Definitions"). */
const NOT_KEPT = [
  ...['transaction', 'span', 'profile', 'profile_chunk', 'profile_chunk_ui', 'profile_backend', 'profile_ui'],
  ...[
    'replay',
    'session',
    'log_item',
    'log_byte',
    'monitor',
    'metric_bucket',
    'trace_metric',
    'trace_metric_byte',
  ],
]
const HEADERS = {
  'x-sentry-rate-limits': `${NOT_KEPT_SECONDS}:${NOT_KEPT.join(';')}:key`,
  'access-control-expose-headers': 'X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After',
}

/** What an envelope may have beside its files: an event, feedback, and items that are skipped. */
const BESIDE_FILES_BYTES = 8 * 1024 * 1024
/** More than most events have. So much of each request is not counted. */
const USUAL_TEXT_BYTES = 64 * 1024
/** A larger payload is parsed in its own turn of the event loop. */
const LARGE_PAYLOAD_BYTES = 16 * 1024

export interface SentryDependencies {
  readonly envelopes: Envelopes
  readonly attachmentLimits: AttachmentLimits
  readonly connections: Pick<Connections, 'expectBody'>
  readonly turns: Turns
  /** Bytes of events and other texts, and of packed bodies, that requests in progress hold in memory. */
  readonly texts: SharedPool
}

/** The addresses that Sentry's SDKs report to. */
export function bindSentry(bind: Bind, parts: SentryDependencies): void {
  const { envelopes, attachmentLimits, connections, turns, texts } = parts
  const maxBytes = attachmentLimits.report + BESIDE_FILES_BYTES
  const decodeBody = createBodyDecoder()

  /** The unpacked body. What it may have in all decides how long it may take. */
  function read(request: FastifyRequest, held: Hold, bounds: DecodeBounds): AsyncGenerator<Uint8Array> {
    const length = lengthOf(request) ?? bounds.maxBytes
    // Packed, it has more bytes than it may have unpacked.
    if (length > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
    connections.expectBody(request.raw.socket, length)
    return decodeBody(held.receive(bodyOf(request)), request.headers['content-encoding'], bounds)
  }

  async function map(envelope: Envelope, held: Hold, parse: (payload: Payload) => unknown) {
    const toReports = () => {
      // It may have given way while it waited for its turn.
      held.signal.throwIfAborted()
      return mapEnvelope(envelope, parse)
    }
    const size = Math.max(0, ...envelope.items.filter(isParsed).map(({ payload }) => payload?.size ?? 0))
    return size > LARGE_PAYLOAD_BYTES ? turns.take(async () => toReports()) : toReports()
  }

  /** An envelope gives way until the database begins to store it. */
  async function store(sender: EnvelopeSender, mapped: MappedEnvelope, { files, held }: Holdings) {
    await envelopes.receive(sender, mapped, { files, revocation: held })
    return answer(200, { id: mapped.eventId }, HEADERS)
  }

  /** Learns who sends an envelope: before its body is read, or from its header if that has the key. */
  function identify({ caller, params, request, admitKey }: SentryCall): Identification {
    let sender: EnvelopeSender | undefined
    async function accept(admitted: Caller): Promise<EnvelopeSender> {
      const projectId = await envelopes.requireProject(admitted, params.projectNumber)
      return { caller: admitted, projectId, address: clientOf(request.ip) }
    }
    return {
      async beforeBody() {
        if (caller.kind !== 'anonymous') sender = await accept(caller)
      },
      async require(header) {
        sender ??= await accept(await admitKey(header && keyInDsn(header.dsn)))
        return sender
      },
      holder() {
        // Less than what is not counted is held before.
        if (sender === undefined) throw new Error('Nothing may be counted before the sender is known.')
        return { projectId: sender.projectId, client: `${actorOf(sender.caller)} ${sender.address}` }
      },
    }
  }

  /** Reads an envelope. Its key may be in its header. */
  async function readEnvelope(
    { request }: SentryCall,
    sender: Identification,
    { held, files }: Holdings,
  ): Promise<Envelope> {
    // Others would wait for the store too.
    const isAlone = isUnpackedAlone(request.headers['content-encoding'])
    let packedBytes = 0
    const reader = createEnvelopeReader({
      maxBytesOf: sizesOfTexts(),
      takeBytes: held.take,
      returnBytes: held.giveBack,
      openFile: filesWithin(attachmentLimits, files),
    })
    const holdPacked = async (count: number) => {
      packedBytes += count
      // Nothing large is held for a stranger.
      if (packedBytes > USUAL_TEXT_BYTES) await sender.require(undefined)
      held.take(count)
    }
    try {
      for await (const chunk of read(request, held, { maxBytes, holdPacked })) {
        const rest = reader.readHeader(chunk)
        if (reader.header === undefined) continue
        const known = await sender.require(reader.header)
        reader.push(rest)
        if (isAlone) files.begin(known)
        else await files.flush(known)
      }
      const items = reader.end()
      const header = reader.header ?? {}
      await files.flush(await sender.require(header))
      return { header, items }
    } catch (error) {
      reader.discard()
      if (!(error instanceof MalformedEnvelope)) throw error
      throw new DomainError('malformed-body', { detail: `The envelope is malformed. ${error.message}` })
    }
  }

  bind(sentryEndpoints.sendEnvelope, async (call) => {
    const sender = identify(call)
    await sender.beforeBody()
    using held = texts.open(sender.holder, USUAL_TEXT_BYTES)
    using files = envelopes.openFiles(held)
    const envelope = await readEnvelope(call, sender, { held, files })
    const mapped = await map(envelope, held, parseIfValid)
    return await store(await sender.require(envelope.header), mapped, { files, held })
  })

  bind(sentryEndpoints.storeEvent, async (call) => {
    const sender = identify(call)
    await sender.beforeBody()
    const known = await sender.require(undefined)
    using held = texts.open(sender.holder, USUAL_TEXT_BYTES)
    const kept = createByteBlocks()
    const holdPacked = async (count: number) => held.take(count)
    for await (const chunk of read(call.request, held, { maxBytes: MAX_SENTRY_EVENT_BYTES, holdPacked })) {
      held.take(chunk.length)
      kept.push(chunk)
    }
    const payload = { chunks: kept.blocks(), size: kept.size }
    const item = { type: 'event', payload, file: null, isMalformed: false }
    using files = envelopes.openFiles(held)
    // What is not JSON is refused, while an envelope is kept without it.
    return await store(known, await map({ header: {}, items: [item] }, held, parsePayload), { files, held })
  })
}

interface Identification {
  beforeBody(): Promise<void>
  /** The sender, who may be named only in the header of the envelope. Fails if they are not. */
  require(header: EnvelopeHeader | undefined): Promise<EnvelopeSender>
  readonly holder: () => Holder
}

interface Envelope {
  readonly header: EnvelopeHeader
  readonly items: readonly EnvelopeItem[]
}

/** What a request holds in memory. */
interface Holdings {
  readonly files: FileBatch
  /** Texts and packed bytes. */
  readonly held: Hold
}

type SentryCall = Call<typeof sentryEndpoints.sendEnvelope>

/** More than SDKs send by far. */
const EVENT_BOUNDS = { maxDepth: 100, maxValues: 100_000 }

/** What is kept of each text, in their order: one of each type. */
function sizesOfTexts(): (type: string) => number {
  const found = new Set<string>()
  return (type) => {
    if (!READ_TYPES.some((known) => known === type) || found.has(type)) return 0
    found.add(type)
    return MAX_SENTRY_EVENT_BYTES
  }
}

/** As many files as a report may have. */
function filesWithin(limits: AttachmentLimits, files: FileBatch): (size: number) => FileSink | null {
  let count = 0
  let bytes = 0
  return (size) => {
    if (++count > limits.count || size > limits.file || bytes + size > limits.report) return null
    bytes += size
    return files.add(size)
  }
}

function isParsed({ type }: EnvelopeItem): boolean {
  return type !== ATTACHMENT
}

function parsePayload({ chunks }: Payload): unknown {
  return parseJson(Buffer.concat(chunks), EVENT_BOUNDS)
}

function parseIfValid(payload: Payload): unknown {
  try {
    return parsePayload(payload)
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}
