import type { FastifyRequest } from 'fastify'

interface Tagged<T> {
  readonly request: FastifyRequest
  readonly tag: string
  readonly body: T
  readonly headers?: Readonly<Record<string, string>>
}

/** 200 with an `ETag`, or 304 when the caller's copy carries the same one. */
export function answerTagged<T>({ request, tag, body, headers }: Tagged<T>) {
  const etag = `"${tag}"`
  const tagged = { ...headers, etag }
  if (isMatched(request.headers['if-none-match'], etag)) return { status: 304, headers: tagged } as const
  return { status: 200, headers: tagged, body } as const
}

function isMatched(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}
