import { MAX_SENTRY_EVENT_BYTES, sentryEndpoints } from '@bugle/contract/sentry'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../domain/access/access.ts'
import type { AttachmentLimits } from '../../domain/attachments/attachment-limits.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { Turns } from '../../domain/events/turns.ts'
import type { Envelopes } from '../../domain/sentry/envelopes.ts'
import { createByteBlocks } from '../../model/sentry/byte-blocks.ts'
import {
  ATTACHMENT,
  createEnvelopeReader,
  type EnvelopeItem,
  MalformedEnvelope,
  type Payload,
} from '../../model/sentry/envelope-reader.ts'
import { type MappedEnvelope, mapEnvelope, READ_TYPES } from '../../model/sentry/map-envelope.ts'
import type { Fields } from '../../model/sentry/values.ts'
import { clientOf } from '../gates/client-address.ts'
import type { Connections } from '../gates/connections.ts'
import { keyInDsn } from '../gates/sentry-key.ts'
import { createBodyDecoder, type DecodeBounds, tooLarge } from '../input/decode-body.ts'
import { createMemoryPool, type Holding } from '../input/memory-pool.ts'
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
/** Files of all requests in progress, in memory. What exceeds it is skipped and counted. */
const FILE_POOL_BYTES = 16 * 1024 * 1024
/** Events and other texts of all requests in progress. What exceeds it is refused. */
const TEXT_POOL_BYTES = 6 * 1024 * 1024
/** More than most events have. So much of each request is not counted. */
const USUAL_TEXT_BYTES = 64 * 1024
/** A larger payload is parsed in its own turn of the event loop. */
const LARGE_PAYLOAD_BYTES = 16 * 1024

export interface SentryDependencies {
  readonly envelopes: Envelopes
  readonly attachmentLimits: AttachmentLimits
  readonly connections: Pick<Connections, 'expectBody'>
  readonly turns: Turns
}

/** The addresses that Sentry's SDKs report to. */
export function bindSentry(bind: Bind, parts: SentryDependencies): void {
  const { envelopes, attachmentLimits, connections, turns } = parts
  const maxBytes = attachmentLimits.report + BESIDE_FILES_BYTES
  const filePool = createMemoryPool(FILE_POOL_BYTES)
  const textPool = createMemoryPool(TEXT_POOL_BYTES)
  const decodeBody = createBodyDecoder()

  /** The unpacked body. What it may have in all decides how long it may take. */
  function read(request: FastifyRequest, bounds: DecodeBounds): AsyncGenerator<Uint8Array> {
    const length = lengthOf(request) ?? bounds.maxBytes
    // Packed, it has more bytes than it may have unpacked.
    if (length > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
    connections.expectBody(request.raw.socket, length)
    return decodeBody(bodyOf(request), request.headers['content-encoding'], bounds)
  }

  async function map(envelope: Envelope, parse: (payload: Payload) => unknown) {
    const toReports = () => mapEnvelope(envelope, parse, attachmentLimits)
    const size = Math.max(0, ...envelope.items.filter(isParsed).map(({ payload }) => payload?.size ?? 0))
    return size > LARGE_PAYLOAD_BYTES ? turns.take(async () => toReports()) : toReports()
  }

  async function store(call: SentryCall, caller: Caller, mapped: MappedEnvelope) {
    const projectId = await envelopes.requireProject(caller, call.params.projectNumber)
    await envelopes.receive(caller, mapped, { projectId, address: clientOf(call.request.ip) })
    return answer(200, { id: mapped.eventId }, HEADERS)
  }

  /** The caller with the key in the envelope's own DSN. */
  async function admitByDsn({ admitKey, params }: SentryCall, header: Fields): Promise<Caller> {
    const caller = await admitKey(keyInDsn(header['dsn']))
    await envelopes.requireProject(caller, params.projectNumber)
    return caller
  }

  /** Checked before the body is read, unless the key is in the body. */
  async function callerBeforeBody(call: SentryCall): Promise<Caller | undefined> {
    if (call.caller.kind === 'anonymous') return undefined
    await envelopes.requireProject(call.caller, call.params.projectNumber)
    return call.caller
  }

  /** Reads an envelope. Its key may be in its header. */
  async function readEnvelope(call: SentryCall, { files, texts, packed }: Holdings): Promise<ReadEnvelope> {
    let caller = await callerBeforeBody(call)
    let packedBytes = 0
    const reader = createEnvelopeReader({
      maxBytesOf: sizesOfItems(attachmentLimits),
      takeBytes(type, count) {
        if (type === ATTACHMENT) return files.take(count)
        // Without its event, the envelope must not be acknowledged.
        texts.require(count)
        return true
      },
      returnBytes: (type, count) => (type === ATTACHMENT ? files : texts).giveBack(count),
    })
    const holdPacked = async (count: number) => {
      packedBytes += count
      // Nothing large is held for a stranger.
      if (packedBytes > USUAL_TEXT_BYTES) caller ??= await call.admitKey(undefined)
      packed.require(count)
    }
    try {
      for await (const chunk of read(call.request, { maxBytes, holdPacked })) {
        reader.push(chunk)
        if (reader.header !== undefined) caller ??= await admitByDsn(call, reader.header)
      }
      const items = reader.end()
      const header = reader.header ?? {}
      caller ??= await admitByDsn(call, header)
      return { caller, header, items }
    } catch (error) {
      reader.discard()
      if (!(error instanceof MalformedEnvelope)) throw error
      throw new DomainError('malformed-body', { detail: `The envelope is malformed. ${error.message}` })
    }
  }

  bind(sentryEndpoints.sendEnvelope, async (call) => {
    using files = filePool.open()
    using texts = textPool.open(USUAL_TEXT_BYTES)
    using packed = filePool.open(USUAL_TEXT_BYTES)
    const envelope = await readEnvelope(call, { files, texts, packed })
    return await store(call, envelope.caller, await map(envelope, parseIfValid))
  })

  bind(sentryEndpoints.storeEvent, async (call) => {
    const caller = (await callerBeforeBody(call)) ?? (await call.admitKey(undefined))
    using texts = textPool.open(USUAL_TEXT_BYTES)
    const hold = (count: number) => texts.require(count)
    const kept = createByteBlocks()
    const bounds = { maxBytes: MAX_SENTRY_EVENT_BYTES, holdPacked: async (count: number) => hold(count) }
    for await (const chunk of read(call.request, bounds)) {
      hold(chunk.length)
      kept.push(chunk)
    }
    const payload = { chunks: kept.blocks(), size: kept.size, sha256: null }
    const item = { type: 'event', header: {}, payload, isMalformed: false }
    // What is not JSON is refused, while an envelope is kept without it.
    return await store(call, caller, await map({ header: {}, items: [item] }, parsePayload))
  })
}

interface Envelope {
  readonly header: Fields
  readonly items: readonly EnvelopeItem[]
}

interface ReadEnvelope extends Envelope {
  readonly caller: Caller
}

/** What a request holds in memory. */
interface Holdings {
  readonly files: Holding
  readonly texts: Holding
  readonly packed: Holding
}

type SentryCall = Call<typeof sentryEndpoints.sendEnvelope>

/** More than SDKs send by far. */
const EVENT_BOUNDS = { maxDepth: 100, maxValues: 100_000 }

/** What is kept of each item, in their order: one of each type, and as many files as a report may have. */
function sizesOfItems({ file, count }: AttachmentLimits): (type: string) => number {
  const found = new Map<string, number>()
  return (type) => {
    const isFile = type === ATTACHMENT
    if (!isFile && !READ_TYPES.some((known) => known === type)) return 0
    const before = found.get(type) ?? 0
    found.set(type, before + 1)
    if (before >= (isFile ? count : 1)) return 0
    return isFile ? file : MAX_SENTRY_EVENT_BYTES
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
