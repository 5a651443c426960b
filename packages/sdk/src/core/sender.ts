import type { Core } from './core.ts'
import type { DropReason } from './drops.ts'
import { type Answer, judgeAnswer } from './judge-answer.ts'
import { mendReport } from './mend-report.ts'
import { overflowOf } from './overflow.ts'
import type { Queue } from './queue.ts'
import type { RemoteConfigs } from './remote-config.ts'
import type { QueuedReason, Report } from './types.ts'

const REQUEST_TIMEOUT_MS = 30_000
const OTHER_SENDER_PAUSE_MS = 5_000
const MAX_AGE_MS = 30 * 86_400_000
// Browsers cap keepalive bodies at 64 KiB in flight, across all requests of a page (Fetch standard); others use it too.
const KEEPALIVE_BYTES = 60_000

/** Brings the queue to the server: one report at a time, and one sender at a time. */
export interface Sender {
  /** Sends what is in the queue; resolves when that is done or has to wait. */
  drain(): Promise<void>
  /** Why nothing is sent now, if so. */
  obstacle(): QueuedReason | undefined
  /** Sends this page's own reports, before the call returns: it may be the last moment. */
  sendNow(): void
  /** Forgets failures that were nobody's order, and tries again. */
  wake(): Promise<void>
  /** Breaks off what is on its way; it stays in the queue. */
  stop(): void
}

export function createSender(core: Core, queue: Queue, configs: RemoteConfigs): Sender {
  const { options, platform, ledger, request, abortAll } = core
  let bytesInFlight = 0
  let failures = 0
  let hold: QueuedReason | undefined
  let cancelTimer = () => {}
  let draining: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  function drain(): Promise<void> {
    isWanted = true
    draining ??= work()
      .catch(() => void ledger.drop('internal'))
      .finally(() => {
        draining = undefined
      })
    return draining
  }

  async function work(): Promise<void> {
    await configs.adopted
    while (isWanted) {
      isWanted = false
      if (!(await platform.runAlone(sendAll))) tryLater(OTHER_SENDER_PAUSE_MS)
    }
  }

  async function sendAll(): Promise<void> {
    const reports = await queue.readAll()
    const overflow = overflowOf(reports)
    for (const report of reports) {
      if (overflow.includes(report)) await drop(report, 'overflow')
      else if (platform.now() - Date.parse(report.occurredAt) > MAX_AGE_MS) await drop(report, 'expired')
      else if (!obstacle()) await deliver(report)
    }
  }

  function obstacle(): QueuedReason | undefined {
    return configs.obstacle() ?? hold
  }

  async function deliver(report: Report): Promise<void> {
    const { submissionId: id } = report
    const entry = queue.own.get(id) ?? { report }
    if (entry.isInFlight) return
    entry.isInFlight = true
    const answer = await post(report)
    const verdict = judgeAnswer(answer, failures, platform)
    entry.isInFlight = false
    if (verdict.status === 'queued') {
      failures++
      hold = verdict.reason
      return tryLater(verdict.milliseconds)
    }
    failures = 0
    if (verdict.status === 'dropped') return drop(report, 'refused')
    // Only a new issue keeps metadata: the counts of a report that joined one go to the next.
    if (answer.status !== 201) ledger.putBack((queue.own.get(id)?.report ?? report).metadata)
    await queue.finish(report, { ...verdict, id })
  }

  /** Sends a report, and once more without what the server does not accept. */
  async function post(report: Report): Promise<Answer> {
    const answer = await postOnce(report)
    const mended = mendReport(report, answer)
    if (!mended) return answer
    ledger.count('trimmed')
    if (!mended.metadata) ledger.putBack(report.metadata)
    await queue.put(mended)
    return postOnce(mended)
  }

  async function postOnce(report: Report): Promise<Answer> {
    const body = bodyOf(report)
    const bytes = bytesOf(body)
    // What failed with it is tried without: the page may have used up the quota itself.
    const keepalive = !failures && fits(report)
    bytesInFlight += bytes
    // A text is sent as `text/plain`, with the key inside: a closing page could not wait for a preflight.
    const answer = await request('issues', { method: 'POST', body, keepalive }, REQUEST_TIMEOUT_MS)
    bytesInFlight -= bytes
    return answer
  }

  function bodyOf(report: Report): string {
    return JSON.stringify({ publicKey: options.publicKey, ...report })
  }

  function fits(report: Report): boolean {
    return bytesInFlight + bytesOf(bodyOf(report)) < KEEPALIVE_BYTES
  }

  function drop(report: Report, reason: DropReason): Promise<void> {
    ledger.putBack(report.metadata)
    return queue.finish(report, ledger.drop(reason, report.submissionId))
  }

  function tryLater(milliseconds: number): void {
    cancelTimer()
    if (isStopped) return
    cancelTimer = platform.later(() => {
      hold = undefined
      void drain()
    }, milliseconds)
  }

  return {
    drain,
    obstacle,
    sendNow() {
      for (const { report } of queue.own.values()) if (!obstacle() && fits(report)) void deliver(report)
    },
    wake() {
      if (hold !== 'held') {
        failures = 0
        hold = undefined
      }
      return drain()
    },
    stop() {
      isStopped = true
      hold = 'held'
      cancelTimer()
      abortAll()
    },
  }
}

/** At least as many as UTF-8 needs. */
function bytesOf(text: string): number {
  return text.replace(/[^\0-\x7f]/g, '...').length
}
