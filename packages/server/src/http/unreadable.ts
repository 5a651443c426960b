import type { Socket } from 'node:net'
import { ERROR_CODES, type ErrorCode } from '@bugle/contract'
import { DomainError } from '../domain/domain-error.ts'
import { VERSION } from '../version.ts'
import { PROBLEM_TYPE, problemOf } from './problem.ts'

interface ParserError extends Error {
  readonly code?: string
}

/** Answers bytes that never became a request: there is only the socket to write to. */
export function answerUnreadable(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, title } = ERROR_CODES[codeOf(error)]
  const problem = problemOf(new DomainError(codeOf(error), { detail: `${title}.` }), '', 'none')
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nBugle-Version: ${VERSION}\r\nConnection: close\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function codeOf({ code }: ParserError): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'bad-request'
}
