import type { Client } from '../client.ts'
import type { Entry } from '../delivery/queue.ts'
import { within } from '../guard.ts'
import { createSubmissionId } from '../reports/reports.ts'
import type { ReportContent } from '../types.ts'
import { hashSecret, type Person, type Reporters } from './reporters.ts'

/** What `beforeSend` sees, and can remove, while the secret is not known. It is neither stored nor sent. */
const PENDING = 'pending'

/** Adds the hash of the person's secret to reports. */
export interface Following {
  /** Fixes whose report it is. */
  _sign(draft: ReportContent, submissionId: string, isFatal?: boolean): Signature
  _capture(draft: ReportContent, isFatal?: boolean, submissionId?: string): ReturnType<Client['_capture']>
  /** Resolves when no report waits for its hash. */
  _settle(timeoutMs: number): Promise<unknown>
  _stop(): void
}

type Signature = Pick<ReportContent, 'reporter' | 'reporterKeyHash'>

export function followReports(client: Client, reporters: Reporters): Following {
  const { _capture: capture, _complete: complete, _queue: queue, _sender: sender } = client
  const { _now: now, _random: random, _wait: wait, _watchLife: watchLife } = client._core._platform
  const { _add: add } = queue
  /** By submission. */
  const signatures = new Map<string, Signature>()
  /** Secrets that are being created, by submission. */
  const creations = new Map<string, Promise<Person | undefined>>()
  /** Reports that are stored, and not sent until they have their hash. */
  const held = new Map<Entry, Promise<void>>()

  queue._add = (report, trimmed) => {
    if (report.reporterKeyHash !== PENDING) return add(report, trimmed)
    const { _entry: entry, _stored: stored } = add({ ...report, reporterKeyHash: undefined }, trimmed)
    entry._isInFlight = true
    const completed = stored.then(() => addHash(entry, creations.get(report.submissionId)))
    held.set(entry, completed)
    return { _entry: entry, _stored: completed }
  }

  async function addHash(entry: Entry, creation: Promise<Person | undefined> | undefined): Promise<void> {
    const person = await creation
    const { _report: report } = entry
    // It may have been sent without one, because the page was hidden.
    if (person && queue._own.has(report.submissionId))
      await queue._update({ ...report, reporterKeyHash: hashSecret(person) })
    if (held.delete(entry)) entry._isInFlight = false
  }

  // This may be the last moment: the report is sent without its hash, and gets it only if it does not arrive.
  const unwatch = watchLife((moment) => {
    if (moment !== 'hide' || !held.size) return
    for (const entry of held.keys()) entry._isInFlight = false
    held.clear()
    sender._sendNow()
  })

  function sign(draft: ReportContent, id: string, isFatal?: boolean): Signature {
    const person = reporters._requireNow()
    if (!person && !isFatal)
      creations.set(
        id,
        reporters._require().catch(() => undefined),
      )
    // Files may delay the report, and another person may use the app by then.
    const { reporter = {} } = complete(draft)
    const signature = {
      reporter,
      reporterKeyHash: person ? hashSecret(person) : isFatal ? undefined : PENDING,
    }
    signatures.set(id, signature)
    return signature
  }

  return {
    _sign: sign,
    async _capture(draft, isFatal, id = createSubmissionId(now(), random)) {
      const signature = signatures.get(id) ?? sign(draft, id, isFatal)
      const result = capture({ ...draft, ...signature }, isFatal, id)
      return result.finally(() => {
        signatures.delete(id)
        creations.delete(id)
      })
    },
    _settle: (timeoutMs) => within(Promise.all(held.values()), timeoutMs, wait),
    _stop: unwatch,
  }
}
