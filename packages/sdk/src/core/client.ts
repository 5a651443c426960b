import { composeReport } from './compose-report.ts'
import type { Core } from './core.ts'
import type { Ledger } from './drops.ts'
import { guard, guardPlatform } from './guard.ts'
import { readOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { createQueue, type Queue } from './queue.ts'
import { createRemoteConfigs, type RemoteConfigs } from './remote-config.ts'
import { createRequests } from './requests.ts'
import { createSender, type Sender } from './sender.ts'
import { createSubmissionId } from './submission-ids.ts'
import type { InitOptions, ReportContent, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { within } from './within.ts'

const RESULT_MS = 10_000

/** Sends the reports of one project. No function of it throws or rejects. */
export interface Client {
  readonly core: Core
  readonly queue: Queue
  readonly configs: RemoteConfigs
  readonly sender: Sender
  /** Makes a report, stores it, and tries to send it. With `isFatal` it is stored when the call returns. */
  capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult>
  flush(timeoutMs: number): Promise<boolean>
  close(timeoutMs: number): Promise<void>
}

/** Starts a client. Its parts are put together here, and only here. */
export function createClient(
  given: InitOptions,
  createPlatform: (scope: string) => Platform,
  ledger: Ledger,
): Client {
  const options = readOptions(given)
  const platform = guardPlatform(createPlatform(`bugle-${options.publicKey}`))
  const { beforeSend = (content) => content, onDrop = () => {} } = options
  const { now, random, wait } = platform
  const store = platform.openStore()
  const core = { options, platform, store, ledger, ...createRequests(options.endpoint, platform) }
  const queue = createQueue(core)
  const configs = createRemoteConfigs(core)
  const sender = createSender(core, queue, configs)
  const { known, soon } = platform.readDevice()
  let device = known

  async function capture(draft: ReportContent, isFatal?: boolean): Promise<ReportResult> {
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
    const report = composeReport(content, {
      submissionId: id,
      occurredAt: new Date(moment).toISOString(),
      metadata: ledger.take(content.metadata),
      sdk: { name: platform.sdkName, version: SDK_VERSION },
    })
    const stored = isFatal ? queue.putNow(report) : queue.put(report)
    const entry = queue.own.get(id)
    await stored
    await within(sender.drain(), RESULT_MS, wait)
    return entry?.result ?? { status: 'queued', id, reason: sender.obstacle() ?? 'retrying' }
  }

  async function start(): Promise<void> {
    wake()
    // The page may not be allowed to ask its system: then what is known has to do.
    device = { ...known, ...(await soon?.catch(() => undefined)) }
  }

  function wake(): void {
    void configs.refresh()
    void sender.wake()
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    await within(sender.wake(), timeoutMs, wait)
    return (await queue.readAll()).length === 0
  }

  const unwatch = platform.watchLife((moment) => {
    if (moment === 'wake') wake()
    else {
      sender.sendNow()
      queue.leaveCounts()
    }
  })

  ledger.onDrop = onDrop
  void start()
  return {
    core,
    queue,
    configs,
    sender,
    capture,
    flush,
    async close(timeoutMs) {
      unwatch()
      await flush(timeoutMs)
      sender.stop()
      queue.leaveCounts()
    },
  }
}
