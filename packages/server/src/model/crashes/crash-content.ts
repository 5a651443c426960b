import type { SubmittedException } from '@bugle/contract'
import { MAX_DESCRIPTION_CHARS, MAX_EXCEPTION_TEXT_CHARS } from '@bugle/contract/vocabulary'
import type { ReportContent } from '../reports/reports.ts'
import { clip } from './clip-text.ts'
import { crashFingerprint } from './crash-fingerprint.ts'
import { fingerprintOfFrames } from './frame-fingerprint.ts'
import { headChars } from './stack-frames.ts'
import { writeStack } from './write-stack.ts'

type Exceptions = readonly SubmittedException[]

/**
 * A report with the fingerprint that its exception provides, unless it has its own, and with the exception in its description. Equal
 * texts have equal exceptions because of that, searches find them, and clients that do not know exceptions can show them.
 */
export function withException(
  content: ReportContent,
  exceptions: Exceptions | null | undefined,
): ReportContent {
  const thrown = exceptions?.[0]
  if (!exceptions || !thrown) return content
  return {
    ...content,
    description: describe(content.description, exceptions),
    fingerprint: content.fingerprint ?? fingerprintOf(thrown),
  }
}

function fingerprintOf({ type, value = '', stack = '', frames }: SubmittedException): string {
  return frames?.[0] ? fingerprintOfFrames({ type, value, frames }) : crashFingerprint(type, value, stack)
}

function describe(own: string | null, exceptions: Exceptions): string {
  if (own === null || own.trim() === '') return describeExceptions(exceptions, MAX_DESCRIPTION_CHARS)
  const room = MAX_DESCRIPTION_CHARS - Array.from(own).length - SEPARATOR.length
  const traces = room <= 0 ? '' : describeExceptions(exceptions, room)
  return traces === '' || own.includes(traces) ? own : own + SEPARATOR + traces
}

const SEPARATOR = '\n\n'
const CAUSE = '\nCaused by: '

/** If not all of them fit, each gets the same share, so that every type and message is present. */
function describeExceptions(exceptions: Exceptions, maxChars: number): string {
  const texts = exceptions.map(describeException)
  const text = texts.join(CAUSE)
  if (text.length <= maxChars) return clip(text, maxChars)
  const share = Math.floor(maxChars / texts.length) - CAUSE.length
  return share <= 0 ? clip(text, maxChars) : texts.map((one) => clip(one, share)).join(CAUSE)
}

/** Only V8 starts a stack with the type and the message; for other engines they are added here. */
function describeException(exception: SubmittedException): string {
  const { type, value = '' } = exception
  const stack = exception.stack ?? writeStack(exception.frames ?? [], MAX_EXCEPTION_TEXT_CHARS)
  const hasHead = value !== '' && headChars(stack, value) > 0
  const head = value === '' ? type : `${type}: ${value}`
  return hasHead ? stack : `${head}\n${stack.replace(/^\n/, '')}`.trimEnd()
}
