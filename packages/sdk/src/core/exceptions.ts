import { fingerprintOf } from './fingerprint.ts'
import { guard } from './guard.ts'
import { scrub } from './scrub.ts'
import type { ReportContent } from './types.ts'

/** An exception as a report; it always says what kind of failure it is. */
export type ExceptionContent = ReportContent & { readonly fingerprint: string }

/** What to report about anything that was thrown. */
export function describeException(thrown: unknown, isHandled: boolean): ExceptionContent {
  const { name = 'Error', message, stack = '', cause } = Object(thrown) as Partial<Error>
  // What refers to itself has no JSON.
  const tell = typeof thrown === 'object' ? guard<[unknown], string>(JSON.stringify, String) : String
  const title = scrub(`${name}: ${message ?? tell(thrown)}`)
  const reason = (cause as Partial<Error> | undefined)?.stack
  return {
    title,
    description: scrub(reason ? `${stack}\nCaused by: ${reason}` : stack),
    category: 'crash',
    fingerprint: fingerprintOf(name, title, stack),
    metadata: { handled: isHandled },
  }
}
