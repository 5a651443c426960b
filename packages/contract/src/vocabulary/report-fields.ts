import { KNOWN_PLATFORMS } from './issues.ts'
import * as limits from './limits.ts'

/** A text field that every report may have, whether it creates an issue or joins one. */
interface ReportField {
  readonly maxLength: number
  readonly description: string
  /** What the sender must know beyond the description. */
  readonly note?: string
  readonly example: string
  /** The pattern it must match; by default, any text but NUL. */
  readonly pattern?: string
  readonly isLowerCase?: true
  /** Anonymous readers see `null` instead. */
  readonly isPrivate?: true
}

/**
 * THE TEXTS OF A REPORT. The schemas of submissions, issues and reports, the records, the columns, the lines of an export and what
 * `bugle issues show` prints are derived from it. A new field is an entry here, and a column of `issues` and of `reports` in a migration
 * for each database.
 */
export const REPORT_FIELDS = {
  appVersion: {
    maxLength: limits.MAX_APP_VERSION_CHARS,
    description: 'Version of the reporting application.',
    example: '2.4.1',
  },
  buildNumber: {
    maxLength: limits.MAX_BUILD_NUMBER_CHARS,
    description: 'Build number of the reporting application.',
    note: 'A string, not a number.',
    example: '512',
  },
  osVersion: {
    maxLength: limits.MAX_OS_VERSION_CHARS,
    description: 'Operating system name and version.',
    example: 'iOS 26.1',
  },
  deviceModel: {
    maxLength: limits.MAX_DEVICE_MODEL_CHARS,
    description: 'Device model name.',
    example: 'iPhone 17',
    isPrivate: true,
  },
  platform: {
    maxLength: limits.MAX_PLATFORM_CHARS,
    description: 'Platform of the reporting device.',
    note: `Stored in lower case. The list is open; known: ${KNOWN_PLATFORMS.join(', ')}.`,
    example: 'ios',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$',
    isLowerCase: true,
  },
  branch: {
    maxLength: limits.MAX_BRANCH_CHARS,
    description: 'Source branch of the reported build.',
    example: 'release/2.4',
  },
} as const satisfies Readonly<Record<string, ReportField>>

export type ReportFieldName = keyof typeof REPORT_FIELDS

export const REPORT_FIELD_NAMES = Object.keys(REPORT_FIELDS) as readonly ReportFieldName[]

/** One value for each text field of a report. */
export function mapReportFields<T>(
  make: (field: ReportField, name: ReportFieldName) => T,
): Record<ReportFieldName, T> {
  const values = REPORT_FIELD_NAMES.map((name) => [name, make(REPORT_FIELDS[name], name)])
  return Object.fromEntries(values) as Record<ReportFieldName, T>
}

/**
 * Why a report has no text. `limit`: the issue has too many different texts. `redacted`: someone removed it.
 * `not-recorded`: the report is older than the release that began to keep texts.
 */
export const TEXT_OMISSIONS = ['limit', 'redacted', 'not-recorded'] as const

export type TextOmission = (typeof TEXT_OMISSIONS)[number]
