import type { Client } from '../client.ts'
import { backoffMs, judgeAnswer } from '../delivery/answers.ts'
import { within } from '../guard.ts'
import type { FileStore, KeptFile } from './file-store.ts'

/** The server accepts uploads of 6 KiB per second. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000
/** After this time, the page that was storing the report of a file no longer exists, or the report was sent. */
const STORING_MS = 15_000
const MAX_AGE_MS = 30 * 86_400_000
/** How long a file waits after a proxy has refused it: it is probably too large for that proxy, whenever it is sent. */
const REFUSED_MS = 30 * 60_000

/** Sends the files whose reports have arrived, one at a time. */
export interface Uploads {
  /** Resolves when all are sent or sending has to wait. */
  _send(): Promise<unknown>
  /** The same, but takes at most this long; returns whether no file is left. */
  _flush(timeoutMs: number): Promise<boolean>
  _stop(): void
}

export function createUploads(
  { _core: core, _queue: queue, _sender: sender }: Client,
  store: FileStore,
): Uploads {
  const { _options: options, _platform: platform, _ledger: ledger, _request: request } = core
  const { _now: now, _random: random, _later: later, _wait: wait } = platform
  /** When files that have failed are due again. They go last, in this order, so that none holds up the others forever. */
  const dueTimes: Record<string, number> = {}
  let rounds = 0
  let notBefore = 0
  let sending: Promise<unknown> | undefined
  let isWanted = false
  let isStopped = false
  let cancelTimer = () => {}

  function send(): Promise<unknown> {
    isWanted = true
    sending ??= work()
      .catch(() => tryLater(backoffMs(rounds++, random)))
      .finally(() => {
        sending = undefined
      })
    return sending
  }

  async function work(): Promise<void> {
    while (isWanted && !isStopped) {
      isWanted = false
      // Reports go first.
      await sender._drain()
      if (notBefore <= now() && !sender._blockedBy()) await store._runAlone(sendAll)
      const isLeft = (await store._list())[0]
      // The report may wait, another tab may send, or the server does not respond.
      if (isLeft && !isWanted) tryLater(Math.max(notBefore - now(), backoffMs(rounds++, random)))
      else rounds = 0
    }
  }

  async function sendAll(): Promise<void> {
    const queued = new Set((await queue._readAll()).map(({ submissionId }) => submissionId))
    const dueTime = ({ id }: KeptFile) => dueTimes[id] ?? 0
    const files = [...(await store._list())].sort((a, b) => dueTime(a) - dueTime(b))
    for (const file of files) {
      if (isStopped || dueTime(file) > now()) return
      const isStoring = !file.isReady && ageOf(file) < STORING_MS
      if (!isStoring && !queued.has(file.submissionId) && !(await upload(file))) return
    }
  }

  /** Returns whether the next file can be sent. */
  async function upload(file: KeptFile): Promise<boolean> {
    const { id, publicKey } = file
    const bytes = await store._read(id)
    if (!bytes) return lose(file)
    let answer = await put(file, bytes, publicKey)
    // The key may have been replaced since.
    if ([401, 403].includes(answer.status) && publicKey !== options.publicKey)
      answer = await put(file, bytes, options.publicKey)
    const { status, body } = answer
    const { id: receipt, requestId } = Object(body) as { id: string; requestId: string }
    if (status < 300 && /^att_/.test(receipt)) {
      rounds = 0
      await store._remove(id)
      return true
    }
    const isFromServer = /^req_/.test(requestId)
    // Not found: the report was not accepted, or without its files, or it was deleted. Without any response, the device may
    // have been offline all this time.
    if ((isFromServer && status === 404) || (status && ageOf(file) > MAX_AGE_MS)) return lose(file)
    // The proxy may take the next one. This includes a body that arrived too slowly (408), but not "too many requests" (429).
    const isRefused = !isFromServer && status > 399 && status < 429
    dueTimes[id] = now() + (isRefused ? REFUSED_MS : 0)
    if (isRefused) return true
    const verdict = judgeAnswer(answer, rounds, platform)
    if (verdict.status === 'dropped') return lose(file)
    if (verdict.status === 'queued' && verdict.reason !== 'offline') notBefore = now() + verdict._milliseconds
    return false
  }

  function put({ submissionId, sha256 }: KeptFile, body: Uint8Array<ArrayBuffer>, key: string) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' }
    return request(
      `submissions/${submissionId}/attachments/${sha256}`,
      { method: 'PUT', headers, body },
      UPLOAD_TIMEOUT_MS,
    )
  }

  async function lose({ id }: KeptFile): Promise<boolean> {
    ledger._count('file')
    await store._remove(id)
    return true
  }

  /** The id of a report starts with the time. If the clock was set back, that is in the future. */
  function ageOf({ submissionId }: KeptFile): number {
    return Math.abs(now() - Number.parseInt(submissionId.replaceAll('-', '').slice(0, 12), 16))
  }

  function tryLater(milliseconds: number): void {
    cancelTimer()
    if (!isStopped) cancelTimer = later(() => void send(), milliseconds)
  }

  const unwatch = platform._watchLife((moment) => {
    if (moment === 'wake') {
      rounds = 0
      void send()
    }
  })

  return {
    _send: send,
    async _flush(timeoutMs) {
      await within(send(), timeoutMs, wait)
      return !(await store._list().catch(() => []))[0]
    },
    _stop() {
      isStopped = true
      cancelTimer()
      unwatch()
    },
  }
}
