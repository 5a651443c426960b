import { composeReport, type Draft } from './compose-report.ts'
import type { Ledger } from './drops.ts'
import { guardPlatform } from './guard.ts'
import { readOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { createQueue } from './queue.ts'
import { CONFIG_ID, createRemoteConfigs } from './remote-config.ts'
import { createRequest } from './requests.ts'
import { createSender } from './sender.ts'
import { createSubmissionId } from './submission-ids.ts'
import type { Client, InitOptions, ReportResult } from './types.ts'
import { SDK_VERSION } from './version.ts'
import { within } from './within.ts'

const RESULT_MS = 10_000

/** Starts a client. Its parts are put together here, and only here. */
export function createClient(
  given: InitOptions,
  createPlatform: (scope: string) => Platform,
  ledger: Ledger,
): Client {
  const options = readOptions(given)
  const platform = guardPlatform(createPlatform(`bugle-${options.publicKey}`))
  const { now, random, later } = platform
  const store = platform.openStore()
  const core = { options, platform, store, ledger, request: createRequest(options.endpoint, platform) }
  const queue = createQueue(core)
  const configs = createRemoteConfigs(core)
  const sender = createSender(core, queue, configs)
  const { known, soon } = platform.readDevice()
  let device = known

  async function capture(draft: Draft, isFatal?: boolean): Promise<ReportResult> {
    const moment = now()
    const id = createSubmissionId(moment, random)
    const report = composeReport(
      draft,
      { ...device, ...options.device },
      {
        submissionId: id,
        occurredAt: new Date(moment).toISOString(),
        metadata: ledger.take(draft.metadata),
        sdk: { name: platform.sdkName, version: SDK_VERSION },
      },
    )
    const stored = isFatal ? queue.putNow(report) : queue.put(report)
    const entry = queue.own.get(id)
    await stored
    await within(sender.drain(), RESULT_MS, later)
    return entry?.result ?? { status: 'queued', id, reason: sender.obstacle() ?? 'retrying' }
  }

  async function start(): Promise<void> {
    configs.adopt((await store.readAll()).get(CONFIG_ID))
    void configs.refresh()
    void sender.drain()
    // The page may not be allowed to ask its system: then what is known has to do.
    device = { ...known, ...(await soon?.catch(() => undefined)) }
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    await within(sender.wake(), timeoutMs, later)
    return (await queue.readAll()).length === 0
  }

  const unwatch = platform.watchLife((moment) => {
    if (moment === 'hide') {
      sender.sendNow()
      queue.leaveCounts()
    } else {
      void configs.refresh()
      void sender.wake()
    }
  })

  void start()
  return {
    capture,
    getConfig: configs.current,
    obstacle: configs.obstacle,
    flush,
    async close(timeoutMs) {
      unwatch()
      await flush(timeoutMs)
      sender.stop()
      queue.leaveCounts()
    },
  }
}
