import { createRemoteConfigs, type RemoteConfigs } from './config/remote-config.ts'
import type { Conversations } from './conversations/types.ts'
import type { Core, Settings } from './core.ts'
import type { Ledger } from './delivery/drops.ts'
import { createQueue, type Queue } from './delivery/queue.ts'
import { createRequests, parseJson } from './delivery/requests.ts'
import { createSender, type Sender } from './delivery/sender.ts'
import { guard, guardPlatform, within } from './guard.ts'
import { createNote, type Note } from './notes.ts'
import type { Platform } from './platform.ts'
import { composeReport, createSubmissionId, fitTexts } from './reports/reports.ts'
import type { DeviceFields, InitOptions, NamedFile, ReportContent, Reporter, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

const RESULT_MS = 10_000
/** A burst may exceed the queue limit, but an app that reports in a loop must not exhaust memory. */
const MAX_UNSENT = 1_000

/** Sends the reports of one project. None of its methods throws or rejects. */
export interface Client {
  readonly _core: Core
  readonly _queue: Queue
  readonly _configs: RemoteConfigs
  readonly _sender: Sender
  /** Recent crashes. */
  readonly _storm: Note<Storm>
  /** The fields of the app and the device that are known so far. */
  _device(): DeviceFields
  /** A report with everything that the SDK adds to it. */
  _complete(draft: ReportContent): ReportContent
  /**
   * Creates a report, stores it, and tries to send it. If the platform supports it, the report is stored by the time
   * the call returns, which is the last opportunity if `isFatal` is set.
   */
  _capture(draft: ReportContent, isFatal?: boolean, submissionId?: string): Promise<ReportResult>
  /** Whether reports can have files. On the client, because copies of the SDK share it. */
  _hasFiles?: boolean
  /** The file with the last steps, if there is a trail. */
  _trail?: (() => NamedFile) | undefined
  /** Set once conversations were started. */
  _conversations?: Conversations | undefined
  /** Fixes whose report it is, before `_capture` is called with the same id. Only if conversations were started. */
  _sign?: ((draft: ReportContent, submissionId: string) => void) | undefined
  /** Called after `setUser`. */
  _onUser?: (() => void) | undefined
  _flush(timeoutMs: number): Promise<boolean>
  _close(timeoutMs: number): Promise<void>
}

/** The crashes within a minute. */
export interface Storm {
  readonly since?: number
  readonly seen?: readonly string[]
}

/** Starts a client. This is the only place where its components are assembled. */
export function createClient(
  given: InitOptions,
  createPlatform: (scope: string) => Platform,
  ledger: Ledger,
  shared: { readonly _user?: Reporter | undefined } = {},
): Client {
  const options = readOptions(given)
  const { endpoint, publicKey, beforeSend = (content) => content, onDrop = () => {} } = options
  // A key may be replaced, so the queue is not tied to a key; each report stores its own.
  const scope = `bugle-${encodeURIComponent(endpoint)}`
  const platform = guardPlatform(createPlatform(scope))
  const { _now: now, _random: random, _wait: wait } = platform
  const store = platform._openStore()
  const told = new Set<string>()
  const core: Core = {
    _options: options,
    _platform: platform,
    _scope: scope,
    _store: store,
    _ledger: ledger,
    ...createRequests(endpoint, platform),
    _tell(message) {
      if (platform._isDevelopment() && !told.has(message)) warn(message)
      told.add(message)
    },
  }
  const queue = createQueue(core)
  const configs = createRemoteConfigs(core)
  const sender = createSender(core, queue, configs)
  const { _known: known, _soon: soon } = platform._readDevice()
  const countsId = `counts-${publicKey}`
  let device = known
  const readDevice = (): DeviceFields => ({ ...device, ...options._device })

  function complete(draft: ReportContent): ReportContent {
    const { context, reporter = shared._user } = draft
    const isCollected = context !== false && options.context !== false
    return {
      ...readDevice(),
      ...draft,
      context: { ...(isCollected && platform._readContext()), ...context },
      reporter,
    }
  }

  async function capture(
    draft: ReportContent,
    isFatal?: boolean,
    id = createSubmissionId(now(), random),
  ): Promise<ReportResult> {
    if (queue._own.size >= MAX_UNSENT) return ledger._drop('overflow')
    const moment = now()
    // The hook may exist for privacy reasons, so the report is not sent if the hook fails.
    const judged = guard(beforeSend, () => null)(complete(draft))
    // A process that is exiting does not wait for a promise. Without one, the report is stored when the call returns.
    const content =
      judged && 'then' in judged
        ? !isFatal && (await within(judged, RESULT_MS, wait).catch(() => null))
        : judged
    if (!content) return ledger._drop('before-send')
    const trimmed: string[] = []
    const counts = ledger._take()
    const report = composeReport(
      { ...content, metadata: { ...counts, ...content.metadata, ...counts } },
      {
        publicKey,
        submissionId: id,
        occurredAt: new Date(moment).toISOString(),
        sdk: { name: platform._sdkName, version: SDK_VERSION },
      },
      trimmed,
    )
    if (trimmed[0]) core._tell(`report trimmed: ${trimmed}`)
    const { _entry: entry, _stored: stored } = queue._add(report, trimmed)
    await stored
    await within(sender._nudge(), RESULT_MS, wait)
    return {
      ...(entry._result ?? { status: 'queued', id, reason: sender._blockedBy() ?? 'retrying' }),
      ...(trimmed[0] && { trimmed }),
    }
  }

  async function start(): Promise<void> {
    wake()
    // If a note cannot be read synchronously, the one from an earlier start must be read before it is overwritten.
    const left = store._readNow(countsId) === undefined && (await store._readAll()).get(countsId)
    ledger._keepIn(createNote(store, countsId))
    if (left) ledger._putBack(parseJson(left) as ReportContent['metadata'])
    // Client hints may be denied, in which case the known values are used.
    device = { ...known, ...(await soon?.catch(() => undefined)) }
  }

  function wake(): void {
    void sender._wake()
    // The response names the project of the key, which may allow queued reports to be sent.
    void configs._refresh().then(sender._drain)
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    await within(sender._wake(), timeoutMs, wait)
    return !(await queue._readAll())[0]
  }

  const unwatch = platform._watchLife((moment) => {
    if (moment === 'wake') wake()
    else sender._sendNow()
  })

  ledger._onDrop = onDrop
  void start()
  return {
    _core: core,
    _queue: queue,
    _configs: configs,
    _sender: sender,
    _storm: createNote(store, `storm-${publicKey}`),
    _device: readDevice,
    _complete: complete,
    _capture: capture,
    _flush: flush,
    async _close(timeoutMs) {
      unwatch()
      await flush(timeoutMs)
      sender._stop()
    },
  }
}

/** Throws an error with a message for the developer if the SDK cannot work with these options. */
function readOptions(options: InitOptions): Settings {
  const { endpoint, publicKey } = options
  if (!endpoint || !/^bgl_pub_/.test(publicKey)) throw Error('init needs endpoint and publicKey')
  return { ...options, endpoint: endpoint.replace(/\/+$/, ''), _device: fitTexts(options as DeviceFields) }
}
