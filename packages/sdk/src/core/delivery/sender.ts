import type { RemoteConfigs } from '../config/remote-config.ts'
import type { Core } from '../core.ts'
import { mendReport } from '../reports/reports.ts'
import type { DropReason, QueuedReason, Report } from '../types.ts'
import { type Answer, isFromServer, judgeAnswer } from './answers.ts'
import { bytesOf, overflowOf, type Queue } from './queue.ts'

const REQUEST_TIMEOUT_MS = 30_000
const OTHER_SENDER_PAUSE_MS = 5_000
const NUDGE_PAUSE_MS = 15_000
const MAX_AGE_MS = 30 * 86_400_000
// Browsers cap keepalive bodies in flight at 64 KiB per page (Fetch standard); other code on the page shares it.
const KEEPALIVE_BYTES = 60_000

/** Sends the queue to the server, one report at a time. Only one sender is active at a time. */
export interface Sender {
  /** Sends the queued reports. Resolves when all are sent or sending has to wait. */
  _drain(): Promise<unknown>
  /** Why nothing can be sent at the moment; `undefined` if sending is possible. */
  _blockedBy(): QueuedReason | undefined
  /** Sends this page's own reports. The requests start before the call returns, because the page may be closing. */
  _sendNow(): void
  /** Resets the backoff, but not a delay requested by the server, and retries. */
  _wake(): Promise<unknown>
  /** Called for a new report. Triggers a retry at most every 15 s; otherwise the report waits with the others. */
  _nudge(): Promise<unknown>
  /** Aborts requests in flight; their reports stay queued. */
  _stop(): void
}

export function createSender(core: Core, queue: Queue, configs: RemoteConfigs): Sender {
  const {
    _options: options,
    _platform: platform,
    _ledger: ledger,
    _request: request,
    _abortAll: abortAll,
    _tell: tell,
  } = core
  /** Reports that have failed before. The others are sent first, so that one blocked report does not hold them up. */
  const troubled = new Set<string>()
  let bytesInFlight = 0
  let failures = 0
  let nudgedAt = 0
  let hold: QueuedReason | undefined
  let cancelTimer = () => {}
  let draining: Promise<unknown> | undefined
  let isWanted = false
  let isStopped = false

  function drain(): Promise<unknown> {
    isWanted = true
    draining ??= work()
      .catch(() => ledger._drop('internal'))
      .finally(() => {
        draining = undefined
      })
    return draining
  }

  async function work(): Promise<void> {
    await configs._adopted
    while (isWanted) {
      isWanted = false
      if (!(await platform._runAlone(sendAll))) tryLater(OTHER_SENDER_PAUSE_MS)
    }
  }

  async function sendAll(): Promise<void> {
    let time: number | undefined
    const isTroubled = ({ submissionId }: Report) => +troubled.has(submissionId)
    const reports = [...(await queue._readAll())].sort((a, b) => isTroubled(a) - isTroubled(b))
    for (const report of reports) if (!obstacle()) time = (await deliver(report)) ?? time
    if (obstacle()) await tidy(time)
  }

  /**
   * Drops reports that exceed the limits, and reports that have not been accepted for a month. The month is measured by
   * the server's clock, because ours may be wrong.
   */
  async function tidy(time: number | undefined): Promise<void> {
    const reports = await queue._readAll()
    const overflow = overflowOf(reports)
    for (const report of reports) {
      const { queuedAt } = report
      if (overflow.includes(report)) await drop(report, 'overflow')
      else if (time && !queuedAt) await queue._update({ ...report, queuedAt: time })
      else if (time && queuedAt && time - queuedAt > MAX_AGE_MS) await drop(report, 'expired')
    }
  }

  function obstacle(): QueuedReason | undefined {
    return configs._blockedBy() ?? hold
  }

  /** Resolves to the time by the server's clock if the response came from the server, and not from a proxy. */
  async function deliver(report: Report): Promise<number | undefined> {
    const { submissionId: id, publicKey } = report
    const entry = queue._own.get(id) ?? { _report: report, _trimmed: [] }
    if (entry._isInFlight) return undefined
    entry._isInFlight = true
    // The latest one: it may have been replaced while it waited for its turn.
    const [answer, trimmed = []] = await post(entry._report)
    const verdict = judgeAnswer(answer, failures, platform)
    entry._isInFlight = false
    if (verdict.status === 'queued') {
      const { reason, _milliseconds: milliseconds } = verdict
      if (reason === 'key-refused' && publicKey !== options.publicKey) {
        queue._refusedKeys.add(publicKey)
        isWanted = true
        return undefined
      }
      if (reason === 'key-refused') tell('publicKey refused')
      troubled.add(id)
      failures++
      hold = reason
      tryLater(milliseconds)
    } else {
      troubled.delete(id)
      failures = 0
      if (verdict.status === 'dropped') await drop(report, 'refused')
      else {
        if (trimmed[0]) ledger._count('trimmed')
        entry._trimmed.push(...trimmed)
        await queue._finish(report, { ...verdict, id })
      }
    }
    return isFromServer(answer) ? Date.parse(`${answer._date}`) : undefined
  }

  /** Sends a report; if the server refuses parts of it, sends it once more without them. */
  async function post(report: Report): Promise<[answer: Answer, trimmed?: readonly string[]]> {
    const answer = await postOnce(report)
    const mended = mendReport(report, answer)
    return mended ? [await postOnce(mended[0]), mended[1]] : [answer]
  }

  async function postOnce(report: Report): Promise<Answer> {
    const body = bodyOf(report)
    const bytes = bytesOf(body)
    // If the request fails with keepalive, it is retried without it: the page may have used up the quota.
    const keepalive = !failures && fits(bytes)
    bytesInFlight += bytes
    // A string body is sent as `text/plain`, with the key in the body: a closing page cannot wait for a preflight.
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
    ledger._putBack(report.metadata)
    return queue._finish(report, ledger._drop(reason, report.submissionId))
  }

  function tryLater(milliseconds: number): void {
    cancelTimer()
    if (isStopped) return
    cancelTimer = platform._later(() => {
      hold = undefined
      void drain()
    }, milliseconds)
  }

  function wake(): Promise<unknown> {
    if (hold !== 'held' && hold !== 'key-refused') {
      failures = 0
      hold = undefined
    }
    return drain()
  }

  return {
    _drain: drain,
    _blockedBy: obstacle,
    _sendNow() {
      for (const { _report: report } of queue._own.values())
        if (!obstacle() && fits(bytesOf(bodyOf(report)))) void deliver(report)
    },
    _wake: wake,
    _nudge() {
      const now = platform._now()
      if (Math.abs(now - nudgedAt) < NUDGE_PAUSE_MS) return drain()
      nudgedAt = now
      return wake()
    },
    _stop() {
      isStopped = true
      hold = 'held'
      cancelTimer()
      abortAll()
    },
  }
}
