import { MAX_EXCEPTIONS } from '@bugle/contract/vocabulary'
import { guard } from '../guard.ts'
import { scrub as scrubText } from '../reports/scrub.ts'
import type { InitOptions, ReportContent, ThrownException } from '../types.ts'

/**
 * Texts are cut before patterns run over them, and again afterwards: the margin lets the patterns see where a
 * secret ends.
 */
const READ_CHARS = 8_192
const SENT_CHARS = 7_168
/** The longest class name that V8 may write before the message. */
const MAX_HEAD_CHARS = 200

/** What to report about a thrown value. The server groups it and uses its stack traces as the description. */
export function describeException(
  thrown: unknown,
  scrub: NonNullable<InitOptions['scrub']> = scrubText,
): ReportContent {
  // The function exists for privacy, so if it fails, the text is not sent.
  const clean = guard(
    (text: string) => String(scrub(text.slice(0, READ_CHARS).replaceAll('\0', ''))).slice(0, SENT_CHARS),
    () => '[redacted]',
  )
  const exception = withCauses(thrown).map((error) => readError(error, clean))
  const [{ type, value }] = exception as [ThrownException]
  return {
    title: `${type}: ${value}`,
    category: 'crash',
    exception,
  }
}

/** What was thrown, then its causes and the errors that an `AggregateError` collects. */
function withCauses(thrown: unknown): readonly unknown[] {
  const errors = [thrown]
  for (const error of errors) {
    const { cause, errors: parts } = Object(error) as { cause?: unknown; errors?: unknown }
    // `concat` also accepts values that are not arrays. An error may be its own cause.
    for (const next of [cause].concat(parts))
      if (next != null && errors.length < MAX_EXCEPTIONS && !errors.includes(next)) errors.push(next)
  }
  return errors
}

/** Any value can be thrown, and the properties of an error can have any value. */
function readError(thrown: unknown, clean: (text: string) => string): Required<ThrownException> {
  const { name, message, stack } = Object(thrown) as Partial<Record<keyof Error, unknown>>
  // Circular values cannot be converted to JSON.
  const tell = typeof thrown === 'object' ? guard<[unknown], string>(JSON.stringify, String) : String
  const value = String(message ?? tell(thrown))
  const text = String(stack ?? '')
  // V8 begins a stack with the class and the message, whose lines may look like calls.
  const start = text.slice(0, value.length + MAX_HEAD_CHARS).indexOf(value)
  return {
    type: clean(String(name || 'Error')),
    value: clean(value),
    stack: clean(text.slice(start < 0 ? 0 : start + value.length)),
  }
}
