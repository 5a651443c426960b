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
import type { InitOptions, ReportContent, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { warn } from './warn.ts'

const RESULT_MS = 10_000
/** A burst may be larger than what may wait, but a loop that reports must not fill the memory. */
const MAX_UNSENT = 1_000

/** Sends the reports of one project. No function of it throws or rejects. */
export interface Client {
  readonly core: Core
  readonly queue: Queue
  readonly configs: RemoteConfigs
  readonly sender: Sender
  /** What failed lately. */
  readonly storm: Note<Storm>
  /**
   * Creates a report, stores it, and tries to send it. Where the platform can, it is stored when the call returns; with
   * `isFatal` that is the last moment.
   */
  capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult>
  flush(timeoutMs: number): Promise<boolean>
  close(timeoutMs: number): Promise<void>
}

/** What failed within a minute. */
export interface Storm {
  readonly since?: number
  readonly seen?: readonly string[]
}

/** Starts a client. Its parts are put together here, and only here. */
export function createClient(
  given: InitOptions,
  createPlatform: (scope: string) => Platform,
  ledger: Ledger,
): Client {
  const options = readOptions(given)
  const { endpoint, publicKey, beforeSend = (content) => content, onDrop = () => {} } = options
  // A key may be replaced, so the queue does not belong to it; each report knows its own.
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

  async function capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult> {
    if (queue.own.size >= MAX_UNSENT) return ledger.drop('overflow')
    const moment = now()
    // It may be there to keep something private, so what it could not judge stays here.
    const judged = guard(beforeSend, () => null)({ ...device, ...options.device, ...draft })
    // The process does not wait for a promise when it ends. Without one, the report is stored when the call returns.
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
      ...(entry.result ?? { status: 'queued', id, reason: sender.obstacle() ?? 'retrying' }),
      ...(trimmed[0] && { trimmed }),
    }
  }

  async function start(): Promise<void> {
    wake()
    // Where a note cannot be read at once, what an earlier start left must be found before it is written again.
    const left = store.readNow(countsId) === undefined && (await store.readAll()).get(countsId)
    ledger.keepIn(createNote(store, countsId))
    if (left) ledger.putBack(parseJson(left) as ReportContent['metadata'])
    // The page may not be allowed to ask its system: then what is known has to do.
    device = { ...known, ...(await soon?.catch(() => undefined)) }
  }

  function wake(): void {
    void sender.wake()
    // The answer may allow what waits to be sent: it says which project the key is for.
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
    capture,
    flush,
    async close(timeoutMs) {
      unwatch()
      await flush(timeoutMs)
      sender.stop()
    },
  }
}

/** Fails with a sentence for the developer when the SDK cannot work like this. */
function readOptions(options: InitOptions): Settings {
  const { endpoint, publicKey } = options
  if (!endpoint || !/^bgl_pub_/.test(publicKey)) throw Error('init needs endpoint and publicKey')
  return { ...options, endpoint: endpoint.replace(/\/+$/, ''), device: fitTexts(options) }
}
