import { endpoints } from '@bugle/contract'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyRequest } from 'fastify'
import type { Attachments, FoundFile } from '../../../domain/attachments/attachments.ts'
import { isMatched } from '../../answers/conditional.ts'
import { clientOf } from '../../gates/client-address.ts'
import type { Connections } from '../../gates/connections.ts'
import { rangeIn } from '../../input/ranges.ts'
import { bodyOf, lengthOf } from '../../input/raw-body.ts'
import { answer, type Bind } from '../../route.ts'

const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

/**
 * Files are untrusted. Whatever they contain, a browser that opens one runs nothing, does not guess another
 * type and does not let other sites embed it.
 */
const FILE_HEADERS = {
  ...PRIVATE,
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'accept-ranges': 'bytes',
}

/** An upload may be this slow on average, in bytes per second: 25 minutes for 10 MiB, with a margin. */
const SLOWEST_UPLOAD = 6 * 1024

export function bindAttachments(
  bind: Bind,
  attachments: Attachments,
  connections: Pick<Connections, 'expectBody'>,
): void {
  const contentOf = (request: FastifyRequest) => ({
    length: lengthOf(request),
    bytes: bodyOf(request),
    address: clientOf(request.ip),
    onSize: (size: number) => connections.expectBody(request.raw.socket, size, SLOWEST_UPLOAD),
  })

  bind(endpoints.uploadAttachment, async ({ caller, params, request }) => {
    const { kind, receipt } = await attachments.upload(caller, { ...params, ...contentOf(request) })
    return answer(kind === 'received' ? 201 : 200, receipt)
  })

  bind(endpoints.uploadIssueAttachment, async ({ caller, params, request }) => {
    const { idOrSlug, ...file } = params
    const upload = { ...file, ...contentOf(request) }
    const { kind, receipt } = await attachments.uploadForTeam(caller, idOrSlug, upload)
    return answer(kind === 'received' ? 201 : 200, receipt)
  })

  bind(endpoints.uploadCommentAttachment, async ({ caller, params, request }) => {
    const { kind, receipt } = await attachments.uploadForComment(caller, { ...params, ...contentOf(request) })
    return answer(kind === 'received' ? 201 : 200, receipt)
  })

  bind(endpoints.listIssueAttachments, async ({ caller, params, query }) =>
    answer(200, await attachments.list(caller, params.id, query), PRIVATE),
  )

  bind(endpoints.downloadAttachment, async ({ caller, params, request }) => {
    const file = await attachments.find(caller, params.id)
    const etag = `"${file.sha256}"`
    const headers = { ...FILE_HEADERS, etag, ...typeOf(file) }
    if (isMatched(request.headers['if-none-match'], etag)) {
      return { status: 304, headers: { ...PRIVATE, etag } } as const
    }
    const part = rangeIn(request.headers, file.size, etag)
    const range = part ?? { start: 0, end: file.size - 1 }
    const body = await file.read(range)
    const length = { 'content-length': String(range.end - range.start + 1) }
    if (part === null) return answer(200, body, { ...headers, ...length })
    const contentRange = { 'content-range': `bytes ${part.start}-${part.end}/${file.size}` }
    return answer(206, body, { ...headers, ...length, ...contentRange })
  })
}

function typeOf({ name, inlineType }: FoundFile): Record<string, string> {
  return {
    'content-type': inlineType ?? 'application/octet-stream',
    'content-disposition': contentDisposition(name, { type: inlineType === null ? 'attachment' : 'inline' }),
  }
}
