import { MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@bugle/contract/vocabulary'
import { guard } from '../guard.ts'
import { scrub as scrubText } from '../scrub.ts'
import type { InitOptions, ReportContent } from '../types.ts'
import { crashSiteOf, fingerprintOf } from './fingerprint.ts'

/** An exception as a report; it always says what kind of failure it is. */
export type ExceptionContent = ReportContent & { readonly fingerprint: string }

/** A report of an exception, and what the limit on repeats and the list of ignored errors need to know about it. */
export interface DescribedException {
  readonly content: ExceptionContent
  /** Tells crashes apart that share a fingerprint. */
  readonly site: string
  /** The title before it was scrubbed. */
  readonly title: string
}

/** Texts are cut before patterns run over them. What is beyond the limit by less lets them see where a secret ends. */
const MARGIN_CHARS = 1_024
const MAX_CAUSES = 10

/** What to report about anything that was thrown. */
export function describeException(
  thrown: unknown,
  isHandled: boolean,
  scrub: NonNullable<InitOptions['scrub']> = scrubText,
): DescribedException {
  const { name, message, stack } = readError(thrown)
  // Its purpose is to keep something private: what it fails on is not sent.
  const clean = guard(
    (text: string, most: number) => String(scrub(text.slice(0, most + MARGIN_CHARS))),
    () => '[redacted]',
  )
  const fingerprint = fingerprintOf(name, message, stack)
  const title = `${name}: ${message.slice(0, MAX_TITLE_CHARS + MARGIN_CHARS)}`
  return {
    content: {
      title: clean(title, MAX_TITLE_CHARS),
      description: clean(listCauses(thrown), MAX_DESCRIPTION_CHARS),
      category: 'crash',
      fingerprint,
      metadata: { handled: isHandled },
    },
    site: crashSiteOf(fingerprint, message, stack),
    title,
  }
}

/** The stack, then those of the causes and of the errors that an `AggregateError` collects. */
function listCauses(thrown: unknown): string {
  const errors = [thrown]
  const texts: string[] = []
  for (const error of errors) {
    texts.push(textOf(error))
    const { cause, errors: parts } = Object(error) as { cause?: unknown; errors?: unknown }
    // An error may be its own cause.
    for (const next of [cause, ...(Array.isArray(parts) ? parts.slice(0, MAX_CAUSES) : [])])
      if (next != null && errors.length <= MAX_CAUSES && !errors.includes(next)) errors.push(next)
  }
  return texts.join('\nCaused by: ')
}

/** The stack, which only V8 begins with what the error says. */
function textOf(thrown: unknown): string {
  const { name, message, stack } = readError(thrown)
  return stack.includes(message || ' ') ? stack : `${name}: ${message}\n${stack}`.trim()
}

/** Anything can be thrown, and an error can have been changed to anything. */
function readError(thrown: unknown): { name: string; message: string; stack: string } {
  const { name, message, stack } = Object(thrown) as Partial<Record<keyof Error, unknown>>
  // What refers to itself has no JSON.
  const tell = typeof thrown === 'object' ? guard<[unknown], string>(JSON.stringify, String) : String
  return {
    name:
      typeof name === 'string' && typeof thrown === 'object' && name
        ? name.slice(0, MAX_TITLE_CHARS)
        : 'Error',
    message: String(message ?? tell(thrown)),
    stack: typeof stack === 'string' ? stack.slice(0, 2 * MAX_DESCRIPTION_CHARS) : '',
  }
}
