import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '../../domain/domain-error.ts'

interface Range {
  readonly start: number
  /** The last byte, included. */
  readonly end: number
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The requested range of bytes; `null` for the whole file. As RFC 9110 recommends, an invalid header, or one
 * with several ranges, is ignored, as is one for another version of the file.
 */
export function rangeIn(headers: IncomingHttpHeaders, size: number, etag: string): Range | null {
  const { range, 'if-range': ifRange } = headers
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null
  const [, first = '', last = ''] = ONE_RANGE.exec(range) ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start < size && start <= end) return { start, end }
  throw new DomainError('range-not-satisfiable', {
    detail: `The file has ${size.toLocaleString('en')} bytes.`,
    headers: { 'content-range': `bytes */${size}` },
  })
}
