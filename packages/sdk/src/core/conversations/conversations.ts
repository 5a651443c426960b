import { MAX_MESSAGE_CHARS } from '@bugle/contract/vocabulary'
import { findClient, findUser } from '../api.ts'
import type { Client } from '../client.ts'
import { guard, within } from '../guard.ts'
import { createSubmissionId } from '../reports/reports.ts'
import type { ReportContent } from '../types.ts'
import { createCache } from './cache.ts'
import { followReports } from './follow-reports.ts'
import { createMailbox, readBy } from './mailbox.ts'
import { type ConversationPlatform, guardConversationPlatform } from './platform.ts'
import { createPolling } from './polling.ts'
import { createReporters, removePerson, tidyPeople } from './reporters.ts'
import type { Conversation, Conversations, Message, MessageResult, MyReports } from './types.ts'

const RESULT_MS = 10_000
/** Messages of one person that are queued or were refused. */
const MAX_STORED = 50
/** Another tab stores several values at once. */
const RELOAD_MS = 50
/** A list is no longer current if the server was not asked when it should have been. */
const LATE_MS = 60_000

/** Lets people follow their reports; `undefined` before `init`. A second call returns the same object. */
export function startConversationsIn(
  openPlatform: (client: Client) => ConversationPlatform,
): Conversations | undefined {
  const client = findClient()
  if (!client) return undefined
  const open = guard(openPlatform, () => ({}) as ConversationPlatform)
  client._conversations ??= createConversations(client, open(client), () => findUser()?.id)
  return client._conversations
}

/** Extends the client: its other parts know nothing of conversations. */
export function createConversations(
  client: Client,
  openedPlatform: ConversationPlatform,
  findUserId: () => string | undefined,
): Conversations {
  const { _core: core, _capture: capture, _flush: flush, _close: close } = client
  const { _platform: platform } = core
  const { _now: now, _random: random, _wait: wait } = platform
  const shared = guardConversationPlatform(openedPlatform, platform)
  const cache = createCache(shared._store)
  const reporters = createReporters(client, cache, shared, findUserId)
  const { _who: who } = reporters
  const following = followReports(client, reporters)
  const mailbox = createMailbox(core, cache, change)
  const listeners = new Set<() => void>()
  /** The reports whose conversations are shown, and how often each. */
  const opened = new Map<string, number>()
  /** The last reply that was marked as read, by person and report. */
  const marked = new Map<string, string>()
  let cancelReload = () => {}
  let isStopped = false
  let shown: MyReports | undefined
  let shownConversations: Record<string, Conversation> = {}

  const polling = createPolling({
    _core: core,
    _cache: cache,
    _shared: shared,
    _who: who,
    _isNeeded: () => !!reporters._find(),
    _hasQueued: () => !!queuedOf(who())[0] || !!cache._list('read-', who())[0],
    _isOpened: () => opened.size > 0,
    async _exchange(id, failures) {
      // Reports go first: one that has just arrived is in the list.
      await within(client._sender._drain(), RESULT_MS, platform._later)
      return mailbox._exchange(id, new Set(opened.keys()), failures)
    },
    _onResponse() {
      if (shown?.isCurrent !== show().isCurrent) change()
    },
  })

  function change(): void {
    shown = undefined
    shownConversations = {}
    for (const listener of listeners) guard(listener)()
  }

  function queuedOf(id: string) {
    return cache._list('message-').filter(([, message]) => message.who === id && !message.isRefused)
  }

  function show(): MyReports {
    const id = who()
    const reports = (cache._get('reports-', id)?.reports ?? []).map((report) => {
      const mark = cache._get('read-', `${id}-${report.id}`)
      return mark ? readBy(report, mark) : report
    })
    const unreadCount = reports.reduce((sum, report) => sum + report.unreadCount, 0)
    const { failures = 1, next = 0 } = cache._readNote('poll-', id) ?? {}
    return { reports, unreadCount, isCurrent: !failures && now() < next + LATE_MS }
  }

  function showConversation(reportId: string): Conversation {
    const id = who()
    const { messages = [], hasEarlier = false } = cache._get('conversation-', `${id}-${reportId}`) ?? {}
    const waiting = cache._list('message-').flatMap(([messageId, message]): readonly Message[] => {
      const isShown = messages.some((one) => one.id === messageId)
      if (message.who !== id || message.reportId !== reportId || isShown) return []
      const { text, createdAt, isRefused } = message
      const state = isRefused ? 'refused' : 'queued'
      return [{ id: messageId, from: 'reporter', text, createdAt, editedAt: null, state }]
    })
    return { messages: [...messages, ...waiting], hasEarlier }
  }

  async function send(reportId: string, given: string): Promise<MessageResult> {
    await cache._loaded
    const id = who()
    const text = `${given ?? ''}`.replaceAll('\0', '').trim()
    const isOwn = cache._get('reports-', id)?.reports.some((report) => report.id === reportId)
    if (!isOwn || !text || text.length > 2 * MAX_MESSAGE_CHARS || [...text].length > MAX_MESSAGE_CHARS)
      return { status: 'dropped', reason: 'invalid' }
    const stored = cache._list('message-').filter(([, message]) => message.who === id)
    if (stored.length >= MAX_STORED) {
      const [oldest] = stored.filter(([, message]) => message.isRefused)
      if (!oldest) return { status: 'dropped', reason: 'overflow' }
      await cache._remove('message-', oldest[0])
    }
    const messageId = createSubmissionId(now(), random)
    const createdAt = new Date(now()).toISOString()
    const storing = cache._put('message-', messageId, { who: id, reportId, text, createdAt })
    change()
    await storing
    await within(polling._run(), RESULT_MS, wait)
    const left = cache._get('message-', messageId)
    if (left?.isRefused) return { status: 'dropped', reason: 'refused' }
    return { status: left ? 'queued' : 'sent', id: messageId }
  }

  function markRead(reportId: string): void {
    const id = who()
    const last = read().reports.find((report) => report.id === reportId)?.unreadCount
      ? readMessages(reportId)
          .messages.filter(({ from }) => from === 'team')
          .pop()
      : undefined
    const key = `${id}-${reportId}`
    // Newer replies may be unread that are not stored yet: the change below must not lead back here.
    if (!last || marked.get(key) === last.id) return
    const { id: messageId, createdAt } = last
    marked.set(key, messageId)
    void cache._put('read-', key, { who: id, reportId, messageId, createdAt })
    change()
    void polling._run()
  }

  function read(): MyReports {
    shown ??= show()
    return shown
  }

  function readMessages(reportId: string): Conversation {
    shownConversations[reportId] ??= showConversation(reportId)
    return shownConversations[reportId]
  }

  function open(reportId: string): () => void {
    opened.set(reportId, (opened.get(reportId) ?? 0) + 1)
    void polling._run()
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const others = (opened.get(reportId) ?? 1) - 1
      if (others) opened.set(reportId, others)
      else opened.delete(reportId)
      polling._plan()
    }
  }

  async function forget(): Promise<void> {
    const id = who()
    // Another tab may have stored more.
    await cache._reload()
    await removePerson(cache, id)
    change()
    polling._plan()
  }

  async function sendQueued(timeoutMs: number): Promise<boolean> {
    await cache._loaded
    if (queuedOf(who())[0] && !isStopped) await within(polling._run(), timeoutMs, wait)
    return !queuedOf(who())[0]
  }

  function stop(): void {
    isStopped = true
    cancelReload()
    polling._stop()
    following._stop()
    unwatch()
    client._onUser = client._sign = client._conversations = undefined
  }

  // A crash is not a report that its person knows of, and `null` means that no one reports it.
  const isFollowed = ({ exception, reporter }: ReportContent) => !isStopped && !exception && reporter !== null

  client._sign = (draft, id) => {
    if (isFollowed(draft)) following._sign(draft, id)
  }
  client._capture = (draft, isFatal, id) => {
    if (!isFollowed(draft)) return capture(draft, isFatal, id)
    const result = following._capture(draft, isFatal, id)
    void result.then(({ status }) => {
      if (status === 'sent' && !isStopped) void polling._run()
    })
    return result
  }
  client._flush = async (timeoutMs) => {
    await following._settle(timeoutMs)
    const isEmpty = await flush(timeoutMs)
    return (await sendQueued(timeoutMs)) && isEmpty
  }
  client._close = async (timeoutMs) => {
    await following._settle(timeoutMs)
    await sendQueued(timeoutMs)
    stop()
    await close(timeoutMs)
  }
  client._onUser = () => {
    change()
    polling._plan()
  }

  const unwatch = shared._watchStore(() => {
    cancelReload()
    cancelReload = platform._later(() => void cache._reload().then(change), RELOAD_MS)
  })
  void cache._loaded.then(() => {
    void tidyPeople(cache)
    change()
    polling._plan()
  })
  return {
    read,
    readMessages,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: async () => !!(await within(polling._run(), RESULT_MS, wait)),
    open,
    send,
    discard(messageId) {
      if (cache._get('message-', messageId)?.isRefused) void cache._remove('message-', messageId)
      change()
    },
    markRead,
    link() {
      const person = reporters._find()
      return person && `${core._options.endpoint}/r#${person.publicKey}.${person.secret}`
    },
    forget,
    stop,
  }
}
