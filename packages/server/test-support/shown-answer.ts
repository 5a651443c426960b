import {
  type AttachmentId,
  type IssueId,
  type ProjectId,
  projectNumberOf,
  type WebhookId,
} from '../src/model/ids.ts'
import type { Answer } from './call-api.ts'

/** A response without the parts that may differ between two apps with the same data. */
export interface ShownAnswer {
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The response to the same request with HEAD. */
  readonly head?: Pick<ShownAnswer, 'status' | 'headers'>
}

interface Issue {
  readonly id: IssueId | WebhookId | AttachmentId
  /** Webhooks and attachments have none. */
  readonly issueNumber?: number
}

/** The names of issues in both apps. An issue without a name is shown as it is. */
export interface Names {
  /** A first name stays. */
  add(issue: Issue, name: string): void
  nameOf(id: string): string | undefined
  numberOf(id: string): number | undefined
  /** The issue of a project that has this number. */
  nameAt(projectId: ProjectId, number: number): string | undefined
}

export function createNames(): Names {
  const named = new Map<string, { readonly name: string; readonly number: number }>()
  const places = new Map<string, string>()
  return {
    add({ id, issueNumber = 0 }, name) {
      if (named.has(id)) return
      named.set(id, { name, number: issueNumber })
      places.set(`${projectNumberOf(id)} ${issueNumber}`, name)
    },
    nameOf: (id) => named.get(id)?.name,
    numberOf: (id) => named.get(id)?.number,
    nameAt: (projectId, number) => places.get(`${projectNumberOf(projectId)} ${number}`),
  }
}

interface Exchange {
  readonly method: string
  readonly path: string
  readonly projectId: ProjectId
  readonly answer: Answer
  readonly head?: Answer | undefined
}

/**
 * Replaces random ids, request ids, the date of the exchange, and the two traces that are accepted: numbers of issues
 * and the totals of the intake ledger. Everything else is compared, positions of events too.
 */
export function showAnswer({ method, path, projectId, answer, head }: Exchange, names: Names): ShownAnswer {
  const show = showing({ method, path, projectId }, names)
  return {
    request: `${method} ${show.text(path)}`,
    status: answer.status,
    headers: show.headers(answer, lengthOf(answer)),
    body: answer.body === undefined ? show.stream(answer.text) : show.value(answer.body),
    ...(head && {
      head: { status: head.status, headers: show.headers(head, answer.headers.get('content-length')) },
    }),
  }
}

function lengthOf({ headers, text }: Answer): string | null {
  return headers.has('content-length') ? String(Buffer.byteLength(text)) : null
}

/** Headers of the connection, not of the response. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']
const IDS = /(?:iss|rep|whk|viw|att)_[0-9a-hjkmnp-tv-z]{26}/g
const NUMBERS = /(?<=\/projects\/[\w-]+\/issues\/)[1-9]\d*(?![\w.])/g
const CURSORS = /(?<=\bcursor=)[\w-]+/g

function showing({ method, path, projectId }: Pick<Exchange, 'method' | 'path' | 'projectId'>, names: Names) {
  const text = (given: string): string =>
    given
      .replaceAll(IDS, (id) => (id.startsWith('rep_') ? '(report)' : (names.nameOf(id) ?? id)))
      .replaceAll(NUMBERS, (number) => `(number of ${names.nameAt(projectId, Number(number)) ?? 'nothing'})`)
      .replaceAll(CURSORS, (cursor) => JSON.stringify(showCursor(cursor)))

  /** A cursor must not contain a secret, so it is decoded and compared: its list, and a position. */
  function showCursor(cursor: string): unknown {
    const [binding, ...place] = parse(cursor)
    const [key, number] = place
    if (typeof key !== 'number') return cursor
    // The history of an issue and its reports are bound to the issue, whose id is random.
    if (typeof number !== 'number') return ['(bound)', key]
    const name = names.nameAt(projectId, number) ?? number
    return [binding, /\bsort=(?!newest|oldest)/.test(path) ? key : name, name]
  }

  function value(given: unknown): unknown {
    if (typeof given === 'string') return text(given)
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== 'object' || given === null) return given
    const { id, issueId = id } = given as { id?: unknown; issueId?: unknown }
    return Object.fromEntries(
      Object.entries(given).map(([member, held]) => [
        member,
        // The worker sends a delivery at an arbitrary time.
        member === 'createdAt' && 'messageId' in given ? '(date)' : showMember(member, held, String(issueId)),
      ]),
    )
  }

  function showMember(member: string, held: unknown, issueId: string): unknown {
    switch (member) {
      case 'requestId':
      case 'intake':
        return `(${member})`
      // Stored every 30 seconds of the real clock.
      case 'lastUsedAt':
        return '(date)'
      // The clock jumps ahead while a message is being sent, so it may be sent twice.
      case 'attemptCount':
      case 'attempts':
      case 'secret':
      case 'durationMs':
        return `(${member})`
      // Begins with the random part of the webhook's id.
      case 'messageId':
        return String(held).replace(/_[0-9a-hjkmnp-tv-z]{26}_/, ' ')
      // A change may cause deliveries that are sent before its response.
      case 'pendingDeliveries':
        return method === 'GET' ? held : '(pending)'
      // The time of a delivery varies; only whether it was sent matters.
      case 'lastSuccessAt':
      case 'finishedAt':
      case 'attemptedAt':
      case 'nextAttemptAt':
        return held === null ? null : '(date)'
      case 'nextCursor':
        return held === null ? null : showCursor(String(held))
      case 'issueNumber':
        return held === names.numberOf(issueId) ? `(number of ${names.nameOf(issueId)})` : held
      default:
        return value(held)
    }
  }

  /** Server-sent events, line by line. */
  function stream(given: string): unknown {
    return given.split('\n').map((line) => {
      const [, field, held = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      return field === 'data' ? value(JSON.parse(held)) : text(line)
    })
  }

  function headers({ headers: given }: Answer, length: string | null): Record<string, string> {
    const entries = [...given].filter(([name]) => !HOP_BY_HOP.includes(name))
    return Object.fromEntries(entries.map(([name, held]) => [name, showHeader(name, held, length)]))
  }

  function showHeader(name: string, held: string, length: string | null): string {
    if (name === 'date' || name === 'x-request-id') return `(${name})`
    // A hash of the body, which has random ids.
    if (name === 'etag' && path.startsWith('/v1/my/')) return '(tag)'
    // A number with one more digit makes a body longer; it only has to be the length of this body.
    if (name === 'content-length') return held === length ? '(true)' : held
    return text(held)
  }

  return { text, value, stream, headers }
}

function parse(cursor: string): readonly unknown[] {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    // Not one of our cursors: it is shown as it is.
    return []
  }
}

/** The whole response, except for the requested names, the request id and the date. */
export function toBytes(
  { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>,
  ...names: readonly string[]
): string {
  const shown = [...headers].filter(([name]) => name !== 'date' && name !== 'content-length')
  const lines = shown.map(([name, held]) => `${name}: ${held}`)
  const whole = [status, ...lines, text].join('\n').replaceAll(/req_\w+/g, '{request}')
  return names.reduce((rest, name) => rest.replaceAll(name, '{name}'), whole)
}
