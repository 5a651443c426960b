import type { IssueSubmission } from '@bugle/contract'
import { MAX_DESCRIPTION_CHARS } from '@bugle/contract/vocabulary'
import type { ReportContent } from '../reports/reports.ts'
import { crashFingerprint } from './crash-fingerprint.ts'
import { headChars } from './stack-frames.ts'

type Exceptions = NonNullable<IssueSubmission['exception']>

/** A report with the fingerprint and the description that its exception provides, unless it has its own. */
export function withException(
  content: ReportContent,
  exception: IssueSubmission['exception'],
): ReportContent {
  const thrown = exception?.[0]
  if (!exception || !thrown) return content
  return {
    ...content,
    description: content.description ?? describeExceptions(exception),
    fingerprint: content.fingerprint ?? crashFingerprint(thrown.type, thrown.value ?? '', thrown.stack ?? ''),
  }
}

function describeExceptions(exceptions: Exceptions): string {
  const text = exceptions.map(describeException).join('\nCaused by: ')
  // The limit counts code points, of which some have two characters.
  return Array.from(text.slice(0, 2 * MAX_DESCRIPTION_CHARS))
    .slice(0, MAX_DESCRIPTION_CHARS)
    .join('')
}

/** Only V8 starts a stack with the type and the message; for other engines they are added here. */
function describeException({ type, value = '', stack = '' }: Exceptions[number]): string {
  const hasHead = value !== '' && headChars(stack, value) > 0
  return hasHead ? stack : `${type}: ${value}\n${stack.replace(/^\n/, '')}`.trimEnd()
}
