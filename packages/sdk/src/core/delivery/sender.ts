import type { Core } from '../core.ts'
import type { RemoteConfigs } from '../remote-config.ts'
import { mendReport } from '../reports.ts'
import type { DropReason, QueuedReason, Report } from '../types.ts'
import { type Answer, isFromServer, judgeAnswer } from './answers.ts'
import { bytesOf, overflowOf, type Queue } from './queue.ts'

const REQUEST_TIMEOUT_MS = 30_000
const OTHER_SENDER_PAUSE_MS = 5_000
const NUDGE_PAUSE_MS = 15_000
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
  /** Forgets failures, but no order of the server, and tries again. */
  wake(): Promise<void>
  /** There is a new report: wakes up at most every 15 s, else it waits with the others. */
  nudge(): Promise<void>
  /** Breaks off what is on its way; it stays in the queue. */
  stop(): void
}

export function createSender(core: Core, queue: Queue, configs: RemoteConfigs): Sender {
  const { options, platform, ledger, request, abortAll, tell } = core
  /** Reports that failed before: the others go first, so that one that something on the way blocks stops no other. */
  const troubled = new Set<string>()
  let bytesInFlight = 0
  let failures = 0
  let nudgedAt = 0
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
    let time: number | undefined
    const isTroubled = ({ submissionId }: Report) => +troubled.has(submissionId)
    const reports = [...(await queue.readAll())].sort((a, b) => isTroubled(a) - isTroubled(b))
    for (const report of reports) if (!obstacle()) time = (await deliver(report)) ?? time
    if (obstacle()) await tidy(time)
  }

  /** Gives up what finds no room, and what the server has not accepted for a month by its own clock: ours may be wrong. */
  async function tidy(time: number | undefined): Promise<void> {
    const reports = await queue.readAll()
    const overflow = overflowOf(reports)
    for (const report of reports) {
      const { queuedAt } = report
      if (overflow.includes(report)) await drop(report, 'overflow')
      else if (time && !queuedAt) await queue.update({ ...report, queuedAt: time })
      else if (time && queuedAt && time - queuedAt > MAX_AGE_MS) await drop(report, 'expired')
    }
  }

  function obstacle(): QueuedReason | undefined {
    return configs.obstacle() ?? hold
  }

  /** Resolves with the time by the server's clock, if it was the server that answered. */
  async function deliver(report: Report): Promise<number | undefined> {
    const { submissionId: id, publicKey } = report
    const entry = queue.own.get(id) ?? { report, trimmed: [] }
    if (entry.isInFlight) return undefined
    entry.isInFlight = true
    const [answer, trimmed = []] = await post(report)
    const verdict = judgeAnswer(answer, failures, platform)
    entry.isInFlight = false
    if (verdict.status === 'queued') {
      const { reason, milliseconds } = verdict
      if (reason === 'key-refused' && publicKey !== options.publicKey) {
        queue.refusedKeys.add(publicKey)
        isWanted = true
        return undefined
      }
      if (reason === 'key-refused') tell('publicKey not accepted by the server')
      troubled.add(id)
      failures++
      hold = reason
      tryLater(milliseconds)
    } else {
      troubled.delete(id)
      failures = 0
      if (verdict.status === 'dropped') await drop(report, 'refused')
      else {
        if (trimmed[0]) ledger.count('trimmed')
        entry.trimmed.push(...trimmed)
        // Only a new issue keeps metadata: the counts of a report that joined one go to the next.
        if (answer.status === 200) ledger.putBack(report.metadata)
        await queue.finish(report, { ...verdict, id })
      }
    }
    return isFromServer(answer) ? Date.parse(`${answer.date}`) : undefined
  }

  /** Sends a report, and once more without what the server does not accept. */
  async function post(report: Report): Promise<[answer: Answer, trimmed?: readonly string[]]> {
    const answer = await postOnce(report)
    const mended = mendReport(report, answer)
    return mended ? [await postOnce(mended.report), mended.trimmed] : [answer]
  }

  async function postOnce(report: Report): Promise<Answer> {
    const body = bodyOf(report)
    const bytes = bytesOf(body)
    // What failed with it is tried without: the page may have used up the quota itself.
    const keepalive = !failures && fits(bytes)
    bytesInFlight += bytes
    // A text is sent as `text/plain`, with the key inside: a closing page could not wait for a preflight.
    const answer = await request('issues', { method: 'POST', body, keepalive }, REQUEST_TIMEOUT_MS)
    bytesInFlight -= bytes
    return answer
  }

  function bodyOf(report: Report): string {
    return JSON.stringify({ ...report, queuedAt: undefined })
  }

  function fits(bytes: number): boolean {
    return bytesInFlight + bytes < KEEPALIVE_BYTES
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

  function wake(): Promise<void> {
    if (hold !== 'held' && hold !== 'key-refused') {
      failures = 0
      hold = undefined
    }
    return drain()
  }

  return {
    drain,
    obstacle,
    sendNow() {
      for (const { report } of queue.own.values())
        if (!obstacle() && fits(bytesOf(bodyOf(report)))) void deliver(report)
    },
    wake,
    nudge() {
      const now = platform.now()
      if (Math.abs(now - nudgedAt) < NUDGE_PAUSE_MS) return drain()
      nudgedAt = now
      return wake()
    },
    stop() {
      isStopped = true
      hold = 'held'
      cancelTimer()
      abortAll()
    },
  }
}
