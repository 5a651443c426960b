import type { IssueSubmission } from '@bugle/contract'
import { MAX_COUNTED_REPORTERS, MAX_REPORTER_CHARS } from '@bugle/contract/vocabulary'

/** The person who reports a problem, according to the app. At least one field is present. */
export interface Reporter {
  readonly id: string | null
  readonly name: string | null
  readonly email: string | null
}

/** A person among the reporters of an issue. */
export interface IssueReporter {
  /** What identifies the person within the issue: see {@link identityOf}. */
  readonly reporter: string
  /** An email address that the person is also found by, in lower case. */
  readonly email: string | null
  /** How many reports of the issue are theirs. */
  readonly reports: number
}

/** Empty fields count as absent; so does a reporter without any. */
export function normaliseReporter({
  id,
  name,
  email,
}: NonNullable<IssueSubmission['reporter']>): Reporter | null {
  const reporter = { id: id?.trim() || null, name: name?.trim() || null, email: email?.trim() || null }
  return reporter.id || reporter.name || reporter.email ? reporter : null
}

/** The id of a person or, without one, their email address in lower case; `null` if only a name is known. */
export function identityOf(reporter: Reporter | null): string | null {
  return reporter && (reporter.id ?? emailOf(reporter))
}

/** The values that may be stored for what a filter names: an id as it is, an email address in lower case. */
export function reporterValues(names: readonly string[]): readonly string[] {
  const values = names.map((name) => name.trim()).flatMap((name) => [name, inLowerCase(name)])
  return [...new Set(values)].sort()
}

/**
 * The entry of a reporter after one more report; `undefined` if there is nothing to write, because the reporter cannot be
 * identified, or the issue has as many reporters as are counted.
 */
export function countIn(
  reporter: Reporter | null,
  known: IssueReporter | undefined,
  reporterCount: number,
): IssueReporter | undefined {
  const identity = identityOf(reporter)
  if (reporter === null || identity === null) return undefined
  const email = emailOf(reporter)
  if (known !== undefined) return { ...known, email: known.email ?? email, reports: known.reports + 1 }
  return reporterCount < MAX_COUNTED_REPORTERS ? { reporter: identity, email, reports: 1 } : undefined
}

/** The entry after one of its reports has been removed. The address of a removed report no longer finds the issue. */
export function countOut(reporter: Reporter, known: IssueReporter): IssueReporter {
  const email = known.email === emailOf(reporter) ? null : known.email
  return { ...known, email, reports: known.reports - 1 }
}

function emailOf({ email }: Reporter): string | null {
  return email && inLowerCase(email)
}

/** Some characters become two in lower case. What exceeds the limit is cut, so that it fits into an export. */
function inLowerCase(email: string): string {
  const lower = email.toLowerCase()
  return lower.length <= MAX_REPORTER_CHARS ? lower : [...lower].slice(0, MAX_REPORTER_CHARS).join('')
}
