import { type IssueId, type ProjectId, projectNumberOf, type WebhookId } from '../src/model/ids.ts'
import type { Answer } from './call-api.ts'

/** An answer, complete but for what may differ between two apps that have the same to tell. */
export interface ShownAnswer {
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The answer to the same question by HEAD. */
  readonly head?: Pick<ShownAnswer, 'status' | 'headers'>
}

interface Issue {
  readonly id: IssueId | WebhookId
  /** Webhooks have none. */
  readonly issueNumber?: number
}

/** What issues are called in both apps. One that has no name is shown as it is. */
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

/** Not part of the answer but of the connection it came by. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding']
const IDS = /(?:iss|whk|viw)_[0-9a-hjkmnp-tv-z]{26}/g
const NUMBERS = /(?<=\/projects\/[\w-]+\/issues\/)[1-9]\d*(?![\w.])/g
const CURSORS = /(?<=\bcursor=)[\w-]+/g

function showing({ method, path, projectId }: Pick<Exchange, 'method' | 'path' | 'projectId'>, names: Names) {
  const text = (given: string): string =>
    given
      .replaceAll(IDS, (id) => names.nameOf(id) ?? id)
      .replaceAll(NUMBERS, (number) => `(number of ${names.nameAt(projectId, Number(number)) ?? 'nothing'})`)
      .replaceAll(CURSORS, (cursor) => JSON.stringify(showCursor(cursor)))

  /** A cursor holds no secret, so it is opened to see whether it tells one: what it is bound to, and a place. */
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
        // A delivery is made when the worker gets to it.
        member === 'createdAt' && 'messageId' in given ? '(date)' : showMember(member, held, String(issueId)),
      ]),
    )
  }

  function showMember(member: string, held: unknown, issueId: string): unknown {
    switch (member) {
      case 'requestId':
      case 'intake':
        return `(${member})`
      // Written down every half minute of the real clock.
      case 'lastUsedAt':
        return '(date)'
      // The clock leaps ahead while something is sent, so it may be sent twice.
      case 'attemptCount':
      case 'attempts':
      case 'secret':
      case 'durationMs':
        return `(${member})`
      // Begins with the random part of the webhook's id.
      case 'messageId':
        return String(held).replace(/_[0-9a-hjkmnp-tv-z]{26}_/, ' ')
      // A change may lead to deliveries that are made while it is answered.
      case 'pendingDeliveries':
        return method === 'GET' ? held : '(pending)'
      // Webhooks are delivered at their own pace; whether it was done is what counts.
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
    // A number of one digit more makes a body longer; that it is the length of this body is what counts.
    if (name === 'content-length') return held === length ? '(true)' : held
    return text(held)
  }

  return { text, value, stream, headers }
}

function parse(cursor: string): readonly unknown[] {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    // No cursor of ours: it is shown as it is.
    return []
  }
}

/** An answer to the last byte but for the names that were asked for, the id of the request and the date. */
export function toBytes({ status, headers, text }: Answer, ...names: readonly string[]): string {
  const shown = [...headers].filter(([name]) => name !== 'date' && name !== 'content-length')
  const lines = shown.map(([name, held]) => `${name}: ${held}`)
  const whole = [status, ...lines, text].join('\n').replaceAll(/req_\w+/g, '{request}')
  return names.reduce((rest, name) => rest.replaceAll(name, '{name}'), whole)
}
