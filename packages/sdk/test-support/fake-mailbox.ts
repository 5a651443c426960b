import { createHash } from 'node:crypto'
import type { ConversationPlatform } from '../src/core/conversations/platform.ts'
import type { Message, MyReport } from '../src/core/conversations/types.ts'
import { durableStore, type FakeAnswer, type World } from './fake-world.ts'

/** The part of a fake server that serves reporters, by the hash of their secret. */
export interface FakeMailbox {
  /** Requests below `/v1/my`, as "GET /reports", with the tag that was sent. */
  readonly seen: { readonly line: string; readonly tag: string | undefined; readonly status: number }[]
  readonly reports: Map<string, readonly Partial<MyReport>[]>
  readonly messages: Map<string, readonly Partial<Message>[]>
  /** A response instead of the usual one; `'unreachable'`: none. */
  fault: FakeAnswer | 'unreachable' | undefined
  /** A response to messages only. */
  messageFault: FakeAnswer | undefined
  /** Called before each response, which waits for it. */
  beforeResponse: (line: string) => Promise<void> | void
  /** Every secret that was sent. */
  readonly secrets: Set<string>
  /** Opens the platform of a tab. All tabs share their store and their locks. */
  openTab(): ConversationPlatform & { isHidden: boolean }
  readonly stored: Map<string, string>
  /** Tells all tabs that one of them has changed the store. */
  announce(): void
}

/** Lets the fake server of this world serve reporters. */
export function addMailbox(world: World): FakeMailbox {
  const { fetch } = world.platform
  const stored = new Map<string, string>()
  const locks = new Set<string>()
  const watchers = new Set<() => void>()
  const mailbox: FakeMailbox = {
    seen: [],
    reports: new Map(),
    messages: new Map(),
    fault: undefined,
    messageFault: undefined,
    beforeResponse() {},
    secrets: new Set(),
    stored,
    announce() {
      for (const listener of watchers) listener()
    },
    openTab: () => ({
      isHidden: false,
      _store: durableStore(stored),
      _isHidden() {
        return (this as unknown as { isHidden: boolean }).isHidden
      },
      async _runAlone(name, task) {
        if (locks.has(name)) return false
        locks.add(name)
        await task().finally(() => locks.delete(name))
        return true
      },
      _watchStore(listener) {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    }),
  }

  world.platform.fetch = async (url, request) => {
    const [, path] = /\/v1\/my(\/.*)$/.exec(url) ?? []
    if (path === undefined) return fetch(url, request)
    const headers = new Headers(request.headers)
    const secret = headers.get('bugle-reporter') ?? ''
    const tag = headers.get('if-none-match') ?? undefined
    mailbox.secrets.add(secret)
    const { status, body, headers: more } = answerTo(path, request.method ?? 'GET', secret, request.body)
    const isUnreachable = mailbox.fault === 'unreachable'
    const etag = `"${createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest('hex')
      .slice(0, 8)}"`
    const isKnown = status === 200 && tag === etag
    const shown = isUnreachable ? 0 : isKnown ? 304 : status
    const line = `${request.method ?? 'GET'} ${path}`
    mailbox.seen.push({ line, tag, status: shown })
    await mailbox.beforeResponse(line)
    if (isUnreachable) throw new TypeError('Failed to fetch')
    const text = shown === 304 || shown === 204 ? null : JSON.stringify(body)
    return new Response(text, { status: shown, headers: { etag, ...more } })
  }

  function answerTo(path: string, method: string, secret: string, sent: unknown): FakeAnswer {
    const fault = (method === 'POST' && mailbox.messageFault) || mailbox.fault
    if (fault && fault !== 'unreachable')
      return {
        ...fault,
        body: fault.status < 400 ? fault.body : { requestId: 'req_1', ...Object(fault.body) },
      }
    const hash = createHash('sha256').update(secret).digest('hex')
    const [, , reportId = '', what] = path.split('/')
    if (!reportId) return { status: 200, body: { data: mailbox.reports.get(hash) ?? [] } }
    if (what === 'read') return { status: 204 }
    const messages = mailbox.messages.get(reportId) ?? []
    if (method === 'GET') return { status: 200, body: { data: messages, hasEarlier: false } }
    const { messageId, text } = JSON.parse(String(sent)) as { messageId: string; text: string }
    const message: Message = {
      id: messageId,
      from: 'reporter',
      text,
      createdAt: '2026-11-15T12:00:00.000Z',
      editedAt: null,
    }
    if (!messages.some(({ id }) => id === messageId)) mailbox.messages.set(reportId, [...messages, message])
    return { status: 201, body: message }
  }

  return mailbox
}
