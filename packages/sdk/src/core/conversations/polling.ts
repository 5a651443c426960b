import type { Core } from '../core.ts'
import type { Cache } from './cache.ts'
import type { Outcome } from './mailbox.ts'
import type { ConversationPlatform } from './platform.ts'

/** While something changes, while nothing does, and while a conversation is shown. */
const SHORTEST_MS = 60_000
const LONGEST_MS = 5 * 60_000
const OPENED_MS = 15_000
/** Switching between tabs is not a reason to ask again. */
const RECENT_MS = 10_000
const OTHER_TAB_MS = 2_000
const LONGEST_PAUSE_MS = 24 * 3_600_000

/** The server responds with something unexpected. */
const UNREADABLE: Outcome = { _isNew: false, _pause: { _milliseconds: LONGEST_MS, _isHeld: true } }

/** Decides when the server is asked. All tabs together ask as often as one. */
export interface Polling {
  /** Asks now, unless another tab is doing it. Resolves to whether the server has responded. */
  _run(): Promise<boolean>
  /** Plans the next time. Called whenever that may be earlier or later than planned. */
  _plan(): void
  _stop(): void
}

interface PollingDependencies {
  readonly _core: Core
  readonly _cache: Cache
  readonly _shared: ConversationPlatform
  _who(): string
  /** Whether there is a report to follow or a message to send. */
  _isNeeded(): boolean
  /** Whether something is to be sent. */
  _hasQueued(): boolean
  /** Whether a conversation is shown. */
  _isOpened(): boolean
  _exchange(who: string, failures: number): Promise<Outcome>
  /** Called each time after the server was asked. */
  _onResponse(): void
}

export function createPolling(dependencies: PollingDependencies): Polling {
  const { _core: core, _cache: cache, _shared: shared } = dependencies
  const {
    _now: now,
    _random: random,
    _later: later,
    _isOnline: isOnline,
    _watchLife: watchLife,
  } = core._platform
  let isHidden = shared._isHidden()
  let isStopped = false
  let running: Promise<boolean> | undefined
  let isWanted = false
  let cancelTimer = () => {}

  const noteOf = (who: string) => cache._readNote('poll-', who)
  /** So that installations that started together do not ask together. */
  const about = (milliseconds: number) => milliseconds * (0.8 + 0.4 * random())

  function run(): Promise<boolean> {
    isWanted = true
    running ??= work()
    return running
  }

  async function work(): Promise<boolean> {
    let hasResponded = false
    let isAlone = true
    await cache._loaded
    while (isWanted && isAlone && !isStopped) {
      isWanted = false
      isAlone = await shared._runAlone('poll', async () => {
        hasResponded = await poll()
      })
    }
    running = undefined
    plan(isAlone ? 0 : OTHER_TAB_MS)
    return hasResponded
  }

  async function poll(): Promise<boolean> {
    const who = dependencies._who()
    const at = now()
    const findSecret = () => cache._readNote('reporter-', who)?.secret
    const secret = findSecret()
    const { quiet = 0, failures = 0, isHeld = false } = noteOf(who) ?? {}
    if (isHeld && dueAt() > at) return false
    const { _isNew: isNew, _pause: pause } = await dependencies
      ._exchange(who, failures)
      .catch(() => UNREADABLE)
    // Aborted: that says nothing about the server.
    if (isStopped) return false
    // No one has reported anything, or the person was forgotten in the meantime.
    if (!secret || findSecret() !== secret) return !pause
    const calm = isNew ? 0 : quiet + 1
    const wait = pause?._milliseconds ?? about(Math.min(LONGEST_MS, SHORTEST_MS * 1.5 ** (calm - 1)))
    cache._putNow('poll-', who, {
      at,
      next: now() + wait,
      quiet: pause ? quiet : calm,
      failures: pause ? failures + 1 : 0,
      isHeld: !!pause?._isHeld,
    })
    dependencies._onResponse()
    return !pause
  }

  /** When the server is to be asked, by this tab or another one. */
  function dueAt(): number {
    const note = noteOf(dependencies._who())
    const moment = now()
    // Never asked, or the clock was set back.
    if (!note || note.at > moment || note.next - moment > LONGEST_PAUSE_MS) return 0
    if (note.failures) return note.next
    if (dependencies._hasQueued()) return 0
    return dependencies._isOpened() ? Math.min(note.next, note.at + OPENED_MS) : note.next
  }

  function plan(leastMs = 0): void {
    cancelTimer()
    if (isStopped || isHidden || running || !isOnline() || !dependencies._isNeeded()) return
    cancelTimer = later(
      () => {
        // Another tab may have asked since this was planned.
        if (dueAt() > now()) plan()
        else void run()
      },
      Math.max(leastMs, dueAt() - now()),
    )
  }

  const unwatch = watchLife((moment) => {
    isHidden = moment === 'hide'
    const note = noteOf(dependencies._who())
    const isRecent = note && !note.failures && Math.abs(now() - note.at) < RECENT_MS
    if (isHidden || isRecent || !isOnline() || !dependencies._isNeeded()) plan()
    else void run()
  })

  return {
    _run: run,
    _plan: () => plan(),
    _stop() {
      isStopped = true
      cancelTimer()
      unwatch()
    },
  }
}
