import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const TAG_CHARS = 16

interface Tagged<T> {
  readonly request: FastifyRequest
  readonly tag: string
  readonly body: T
  readonly headers?: Readonly<Record<string, string>>
}

/** 200 with an `ETag`, or 304 if the caller's copy has the same tag. */
export function answerTagged<T>({ request, tag, body, headers }: Tagged<T>) {
  const etag = `"${tag}"`
  const tagged = { ...headers, etag }
  if (isMatched(request.headers['if-none-match'], etag)) return { status: 304, headers: tagged } as const
  return { status: 200, headers: tagged, body } as const
}

/** A weak tag: the content is equivalent, though not always the same byte for byte. */
export function weak(tag: string): string {
  return `W/"${tag}"`
}

/** Whether the caller has a copy, current or not. */
export function hasCopy({ headers }: FastifyRequest): boolean {
  return headers['if-none-match'] !== undefined
}

/** Whether the caller's copy has the tag. */
export function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  return isMatched(headers['if-none-match'], `"${tag}"`)
}

export function answerUnchanged(tag: string, headers: Readonly<Record<string, string>>) {
  return { status: 304, headers: { ...headers, etag: weak(tag) } } as const
}

/** A tag that changes with anything in the body. */
export function tagOfContent(body: object): string {
  const known = tags.get(body)
  if (known !== undefined) return known
  const tag = hash('sha256', JSON.stringify(body), 'base64url').slice(0, TAG_CHARS)
  tags.set(body, tag)
  return tag
}

/** A body that is kept and sent again is hashed only once, because bodies are never mutated. */
const tags = new WeakMap<object, string>()

/** Whether `If-None-Match` has the tag, by weak comparison (RFC 9110, section 13.1.2). */
export function isMatched(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}

/** The versions that `If-Match` accepts; `null` for any. A tag that is not ours matches nothing. */
export function versionsIn(ifMatch: string | undefined): readonly number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^\s*"(\d{1,15})\b[^"]*"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
