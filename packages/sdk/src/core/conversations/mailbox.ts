import { REPORTER_HEADER } from '@bugle/contract/vocabulary'
import type { Core } from '../core.ts'
import { type Answer, judgeAnswer } from '../delivery/answers.ts'
import type { HttpRequest } from '../platform.ts'
import type { Cache, Stored } from './cache.ts'
import type { Message, MyReport } from './types.ts'

const REQUEST_TIMEOUT_MS = 30_000
const PAUSE_MS = 30 * 60_000
/** What is shown offline: the conversations with the newest replies, and the newest messages of each. */
const MAX_CONVERSATIONS = 10
const MAX_CONVERSATION_CHARS = 65_536
/** The report is gone, it has too many messages, or this one is not valid. */
const REFUSALS = [400, 404, 409, 410, 413, 415, 422]
/** Ids become names of files. */
const REPORT_ID = /^rep_\w+$/
const NO_RESPONSE: Answer = { status: 0 }

/** The result of an exchange with the server. */
export interface Outcome {
  /** Whether the list has changed. */
  readonly _isNew: boolean
  /** Set if the server did not respond as expected: how long to wait, and whether it has asked for that. */
  readonly _pause?: { readonly _milliseconds: number; readonly _isHeld: boolean } | undefined
}

/** Sends what is queued, and reads what is new. */
export interface Mailbox {
  /** `opened` are the reports whose conversations are shown. */
  _exchange(who: string, opened: ReadonlySet<string>, failures: number): Promise<Outcome>
}

export function createMailbox(
  { _options: options, _platform: platform, _request: request }: Core,
  cache: Cache,
  onChange: () => void,
): Mailbox {
  async function ask(who: string, path: string, { headers, ...rest }: HttpRequest): Promise<Answer> {
    const findSecret = () => cache._readNote('reporter-', who)?.secret
    const secret = findSecret()
    if (!secret) return NO_RESPONSE
    const own = { ...headers, authorization: `Bearer ${options.publicKey}`, [REPORTER_HEADER]: secret }
    // Unlike `Authorization`, the header with the secret is also sent to where a response redirects to.
    const safe = { ...rest, headers: own, redirect: 'error' } as const
    const answer = await request(`my/reports${path}`, safe, REQUEST_TIMEOUT_MS)
    // The person may have been forgotten in the meantime: then nothing about them is stored again.
    return findSecret() === secret ? answer : NO_RESPONSE
  }

  function write(who: string, path: string, method: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' }
    return ask(who, path, { method, headers, body: JSON.stringify(body) })
  }

  function readTagged(who: string, path: string, tag: string | undefined): Promise<Answer> {
    return ask(who, path, { headers: { ...(tag && { 'if-none-match': tag }) } })
  }

  /** Returns the response if the message has to wait. */
  async function sendMessage(id: string, message: Stored['message-']): Promise<Answer | undefined> {
    const { who, reportId, text, isRefused } = message
    if (!isOfThisKey(who) || isRefused) return undefined
    const answer = await write(who, `/${reportId}/messages`, 'POST', { messageId: id, text })
    const { id: receipt, code } = Object(answer.body) as Record<string, string>
    // A conflict means that an earlier form of it has arrived.
    const hasArrived = (answer.status === 201 && receipt === id) || code === 'message-conflict'
    if (!hasArrived && !isRefusal(answer)) return answer
    if (receipt === id) await addToConversation(`${who}-${reportId}`, answer.body as Message)
    if (hasArrived) await cache._remove('message-', id)
    else await cache._put('message-', id, { ...message, isRefused: true })
    onChange()
    return undefined
  }

  /** Shows a message that has just arrived. The conversation is read again, because others may have arrived before it. */
  function addToConversation(id: string, message: Message): Promise<void> {
    const { messages = [], hasEarlier = false } = cache._get('conversation-', id) ?? {}
    const others = messages.filter((one) => one.id !== message.id)
    return cache._put('conversation-', id, {
      tag: undefined,
      lastReplyAt: undefined,
      messages: [...others, message],
      hasEarlier,
    })
  }

  /** Returns the response if the mark has to wait. */
  async function sendMark(id: string, mark: Stored['read-']): Promise<Answer | undefined> {
    const { who, reportId, messageId } = mark
    if (!isOfThisKey(who)) return undefined
    const answer = await write(who, `/${reportId}/read`, 'PUT', { messageId })
    if (answer.status !== 204 && !isRefusal(answer)) return answer
    const listed = cache._get('reports-', who)
    const reports = listed?.reports.map((report) => readBy(report, mark))
    if (listed && reports) await cache._putNote('reports-', who, { ...listed, reports })
    // Another reply may have been read in the meantime.
    if (cache._get('read-', id)?.messageId === messageId) await cache._remove('read-', id)
    return undefined
  }

  /** What people of another project have written is left to the app that they use. */
  function isOfThisKey(who: string): boolean {
    return cache._get('reporter-', who)?.publicKey === options.publicKey
  }

  /** Returns whether the list has changed, or the response if it is not one of the server. */
  async function readList(who: string): Promise<boolean | Answer> {
    const answer = await readTagged(who, '', cache._get('reports-', who)?.tag)
    const { data } = Object(answer.body) as { data?: readonly MyReport[] }
    if (answer.status === 304) return false
    if (answer.status !== 200 || !Array.isArray(data)) return answer
    const reports = data.filter((report) => REPORT_ID.test(Object(report).id))
    await cache._putNote('reports-', who, { tag: tagOf(answer), reports })
    onChange()
    return true
  }

  async function readConversations(who: string, opened: ReadonlySet<string>): Promise<Answer | undefined> {
    const reports = cache._get('reports-', who)?.reports ?? []
    const conversationOf = ({ id }: MyReport) => cache._get('conversation-', `${who}-${id}`)
    const lastChange = ({ lastReplyAt, receivedAt }: MyReport) => `${lastReplyAt ?? receivedAt}`
    const newest = [...reports]
      .sort((a, b) => (lastChange(a) < lastChange(b) ? 1 : -1))
      .slice(0, MAX_CONVERSATIONS)
    const isKept = (id: string) => opened.has(id) || newest.some((report) => report.id === id)
    for (const [id] of cache._list('conversation-', who))
      if (!isKept(id.slice(who.length + 1))) await cache._remove('conversation-', id)
    for (const report of reports) {
      // A report without replies has no conversation yet.
      const { lastReplyAt } = conversationOf(report) ?? { lastReplyAt: null }
      const isBehind = newest.includes(report) && lastReplyAt !== report.lastReplyAt
      const answer = (isBehind || opened.has(report.id)) && (await readConversation(who, report))
      if (answer) return answer
    }
    return undefined
  }

  /** Returns the response if it is not one of the server. */
  async function readConversation(who: string, report: MyReport): Promise<Answer | undefined> {
    const { id: reportId, lastReplyAt } = report
    const id = `${who}-${reportId}`
    const conversation = cache._get('conversation-', id)
    const answer = await readTagged(who, `/${reportId}/messages`, conversation?.tag)
    const { status } = answer
    const { data, hasEarlier } = Object(answer.body) as Record<string, unknown>
    if (status === 200 && Array.isArray(data)) {
      const messages = newestOf(data.filter((message) => typeof Object(message).text === 'string'))
      await cache._put('conversation-', id, {
        tag: tagOf(answer),
        lastReplyAt,
        messages,
        hasEarlier: !!hasEarlier || messages.length < data.length,
      })
      onChange()
    } else if (status === 304 && conversation) {
      if (conversation.lastReplyAt !== lastReplyAt)
        await cache._put('conversation-', id, { ...conversation, lastReplyAt })
    } else if (!isRefusal(answer)) return answer
    return undefined
  }

  return {
    async _exchange(who, opened, failures) {
      let isNew = false
      let faulty: Answer | undefined
      await cache._reload()
      for (const [id, message] of cache._list('message-')) faulty ??= await sendMessage(id, message)
      for (const [id, mark] of cache._list('read-')) faulty ??= await sendMark(id, mark)
      // Something on the way may block one message: what is new is read all the same.
      if (cache._get('reporter-', who) && faulty?.status !== 0) {
        const list = await readList(who)
        if (typeof list === 'boolean') {
          isNew = list
          faulty ??= await readConversations(who, opened)
        } else faulty = list
      }
      if (!faulty) return { _isNew: isNew }
      const verdict = judgeAnswer(faulty, failures, platform)
      const isQueued = verdict.status === 'queued'
      return {
        _isNew: isNew,
        _pause: {
          _milliseconds: isQueued ? verdict._milliseconds : PAUSE_MS,
          _isHeld: !isQueued || verdict.reason === 'held' || verdict.reason === 'key-refused',
        },
      }
    },
  }
}

/** Whether the server, and not something on the way, will never accept this. */
function isRefusal({ status, body }: Answer): boolean {
  return REFUSALS.includes(status) && /^req_/.test(Object(body).requestId)
}

/** The report after its replies up to this one were read. */
export function readBy(report: MyReport, { reportId, createdAt }: Stored['read-']): MyReport {
  const isRead = report.id === reportId && `${report.lastReplyAt}` <= createdAt
  return isRead && report.unreadCount ? { ...report, unreadCount: 0 } : report
}

function newestOf(messages: readonly Message[]): readonly Message[] {
  let chars = 0
  const fitting = [...messages].reverse().filter(({ text }) => {
    chars += text.length
    return chars <= MAX_CONVERSATION_CHARS
  })
  return fitting.reverse()
}

function tagOf({ _headers: headers }: Answer): string | undefined {
  return headers?.get('etag') ?? undefined
}
