import type { Report } from '@bugle/contract'

/** A report that says what was thrown. */
export type CrashReport = Report & { readonly exception: NonNullable<Report['exception']> }

export function hasException(report: Report): report is CrashReport {
  return report.exception !== null && report.exception.length > 0
}
