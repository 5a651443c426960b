import {
  MAX_BODY_BYTES,
  MAX_DESCRIPTION_CHARS,
  MAX_EXCEPTION_TEXT_CHARS,
  MAX_EXCEPTIONS,
} from '@bugle/contract'
import { distinctWords } from './world.ts'

// The largest bodies that the server accepts, or refuses only after reading them.
export const LONG_TEXT = distinctWords(MAX_DESCRIPTION_CHARS)
export const CHINESE = Array.from({ length: 32_768 }, (_, n) =>
  String.fromCharCode(0x4e00 + ((n * 7919) % 20_000)),
).join('')
export const LONG_EXCEPTIONS = Array(MAX_EXCEPTIONS).fill({
  type: 'Error',
  value: distinctWords(MAX_EXCEPTION_TEXT_CHARS),
  stack: '    at a (b.js:1:1)\n'.repeat(Math.floor(MAX_EXCEPTION_TEXT_CHARS / 21)),
})

export const METADATA = Object.fromEntries(
  Array.from({ length: 50 }, (_, n) => [`key-${n}`.padEnd(64, 'x'), 'ä'.repeat(1_024)]),
)
export const MANY_MEMBERS = fillBody('{"a":1', (n) => `,"a${n.toString(36)}":1`, '}')

/** A body just below the limit. */
export function fillBody(start: string, member: (n: number) => string, end: string): string {
  const parts = [start]
  let length = start.length + end.length
  for (let n = 0; ; n++) {
    const part = member(n)
    length += part.length
    if (length > MAX_BODY_BYTES) return parts.join('') + end
    parts.push(part)
  }
}
