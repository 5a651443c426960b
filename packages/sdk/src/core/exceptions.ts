import type { Draft } from './compose-report.ts'
import { fingerprintOf } from './fingerprint.ts'
import { scrub } from './scrub.ts'

/** What to report about anything that was thrown. */
export function describeException(thrown: unknown, isHandled: boolean): Draft {
  const { name = 'Error', message, stack = '', cause } = Object(thrown) as Partial<Error>
  const text = message ?? (typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown))
  const title = scrub(`${name}: ${text}`)
  const reason = (cause as Partial<Error> | undefined)?.stack
  return {
    title,
    description: scrub(reason ? `${stack}\nCaused by: ${reason}` : stack),
    category: 'crash',
    fingerprint: fingerprintOf(name, title, stack),
    metadata: { handled: isHandled },
  }
}
