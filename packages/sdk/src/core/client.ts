import type { Core, Settings } from './core.ts'
import type { Ledger } from './delivery/drops.ts'
import { createQueue, type Queue } from './delivery/queue.ts'
import { createRequests, parseJson } from './delivery/requests.ts'
import { createSender, type Sender } from './delivery/sender.ts'
import { guard, guardPlatform, within } from './guard.ts'
import { createNote, type Note } from './notes.ts'
import type { Platform } from './platform.ts'
import { createRemoteConfigs, type RemoteConfigs } from './remote-config.ts'
import { composeReport, createSubmissionId, fitTexts } from './reports.ts'
import type { DeviceFields, InitOptions, ReportContent, Reporter, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

const RESULT_MS = 10_000
/** A burst may exceed the queue limit, but an app that reports in a loop must not exhaust memory. */
const MAX_UNSENT = 1_000

/** Sends the reports of one project. None of its methods throws or rejects. */
export interface Client {
  readonly core: Core
  readonly queue: Queue
  readonly configs: RemoteConfigs
  readonly sender: Sender
  /** Recent crashes. */
  readonly storm: Note<Storm>
  /** The fields of the app and the device that are known so far. */
  device(): DeviceFields
  /** A report with everything that the SDK adds to it. */
  complete(draft: ReportContent): ReportContent
  /**
   * Creates a report, stores it, and tries to send it. If the platform supports it, the report is stored by the time
   * the call returns, which is the last opportunity if `isFatal` is set.
   */
  capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult>
  flush(timeoutMs: number): Promise<boolean>
  close(timeoutMs: number): Promise<void>
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
  shared: { readonly user?: Reporter | undefined } = {},
): Client {
  const options = readOptions(given)
  const { endpoint, publicKey, beforeSend = (content) => content, onDrop = () => {} } = options
  // A key may be replaced, so the queue is not tied to a key; each report stores its own.
  const platform = guardPlatform(createPlatform(`bugle-${encodeURIComponent(endpoint)}`))
  const { now, random, wait } = platform
  const store = platform.openStore()
  const told = new Set<string>()
  const core: Core = {
    options,
    platform,
    store,
    ledger,
    ...createRequests(endpoint, platform),
    tell(message) {
      if (platform.isDevelopment() && !told.has(message)) warn(message)
      told.add(message)
    },
  }
  const queue = createQueue(core)
  const configs = createRemoteConfigs(core)
  const sender = createSender(core, queue, configs)
  const { known, soon } = platform.readDevice()
  const countsId = `counts-${publicKey}`
  let device = known
  const readDevice = (): DeviceFields => ({ ...device, ...options.device })

  function complete(draft: ReportContent): ReportContent {
    const { context, reporter = shared.user } = draft
    const isCollected = context !== false && options.context !== false
    return {
      ...readDevice(),
      ...draft,
      context: { ...(isCollected && platform.readContext()), ...context },
      reporter,
    }
  }

  async function capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult> {
    if (queue.own.size >= MAX_UNSENT) return ledger.drop('overflow')
    const moment = now()
    // The hook may exist for privacy reasons, so the report is not sent if the hook fails.
    const judged = guard(beforeSend, () => null)(complete(draft))
    // A process that is exiting does not wait for a promise. Without one, the report is stored when the call returns.
    const content =
      judged && 'then' in judged
        ? !isFatal && (await within(judged, RESULT_MS, wait).catch(() => null))
        : judged
    if (!content) return ledger.drop('before-send')
    const id = createSubmissionId(moment, random)
    const trimmed: string[] = []
    const counts = ledger.take()
    const report = composeReport(
      { ...content, metadata: { ...counts, ...content.metadata, ...counts } },
      {
        publicKey,
        submissionId: id,
        occurredAt: new Date(moment).toISOString(),
        sdk: { name: platform.sdkName, version: SDK_VERSION },
      },
      trimmed,
    )
    if (trimmed[0]) core.tell(`report trimmed: ${trimmed}`)
    const { entry, stored } = queue.add(report, trimmed)
    await stored
    await within(sender.nudge(), RESULT_MS, wait)
    return {
      ...(entry.result ?? { status: 'queued', id, reason: sender.blockedBy() ?? 'retrying' }),
      ...(trimmed[0] && { trimmed }),
    }
  }

  async function start(): Promise<void> {
    wake()
    // If a note cannot be read synchronously, the one from an earlier start must be read before it is overwritten.
    const left = store.readNow(countsId) === undefined && (await store.readAll()).get(countsId)
    ledger.keepIn(createNote(store, countsId))
    if (left) ledger.putBack(parseJson(left) as ReportContent['metadata'])
    // Client hints may be denied, in which case the known values are used.
    device = { ...known, ...(await soon?.catch(() => undefined)) }
  }

  function wake(): void {
    void sender.wake()
    // The response names the project of the key, which may allow queued reports to be sent.
    void configs.refresh().then(sender.drain)
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    await within(sender.wake(), timeoutMs, wait)
    return !(await queue.readAll())[0]
  }

  const unwatch = platform.watchLife((moment) => {
    if (moment === 'wake') wake()
    else sender.sendNow()
  })

  ledger.onDrop = onDrop
  void start()
  return {
    core,
    queue,
    configs,
    sender,
    storm: createNote(store, `storm-${publicKey}`),
    device: readDevice,
    complete,
    capture,
    flush,
    async close(timeoutMs) {
      unwatch()
      await flush(timeoutMs)
      sender.stop()
    },
  }
}

/** Throws an error with a message for the developer if the SDK cannot work with these options. */
function readOptions(options: InitOptions): Settings {
  const { endpoint, publicKey } = options
  if (!endpoint || !/^bgl_pub_/.test(publicKey)) throw Error('init needs endpoint and publicKey')
  return { ...options, endpoint: endpoint.replace(/\/+$/, ''), device: fitTexts(options as DeviceFields) }
}
