import type { Socket } from 'node:net'
import { ERROR_CODES, type ErrorCode } from '@bugle/contract'
import { DomainError } from '../../domain/domain-error.ts'
import { ANSWER_HEADERS } from '../answers/answer-headers.ts'
import { PROBLEM_TYPE, problemOf } from '../answers/problem.ts'

/** There is no request to log. */
const NO_REQUEST_ID = 'none'

interface ParserError extends Error {
  readonly code?: string
}

/** Responds to bytes that are not a valid request, directly on the socket. Returns the problem that was sent, if any. */
export function answerUnreadable(error: ParserError, socket: Socket): ErrorCode | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const code = codeOf(error)
  const { status, title } = ERROR_CODES[code]
  const body = JSON.stringify(problemOf(new DomainError(code, { detail: `${title}.` }), '', NO_REQUEST_ID))
  const headers = {
    ...ANSWER_HEADERS,
    'x-request-id': NO_REQUEST_ID,
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
  return code
}

function codeOf({ code }: ParserError): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'bad-request'
}
