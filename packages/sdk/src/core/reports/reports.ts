import {
  MAX_APP_VERSION_CHARS,
  MAX_BRANCH_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_CONTEXT_FIELDS,
  MAX_CONTEXT_STRING_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_DEVICE_MODEL_CHARS,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
  MAX_OS_VERSION_CHARS,
  MAX_PLATFORM_CHARS,
  MAX_REPORTER_CHARS,
  MAX_TITLE_CHARS,
} from '@bugle/contract/vocabulary'
import { type Answer, isFromServer } from '../delivery/answers.ts'
import { countsIn } from '../delivery/drops.ts'
import type { DeviceFields, Report, ReportContent } from '../types.ts'

const MAX_ID_CHARS = 64

/** The texts of a report, with the maximum length of each. */
const MAX_CHARS = {
  title: MAX_TITLE_CHARS,
  description: MAX_DESCRIPTION_CHARS,
  appVersion: MAX_APP_VERSION_CHARS,
  buildNumber: MAX_BUILD_NUMBER_CHARS,
  osVersion: MAX_OS_VERSION_CHARS,
  deviceModel: MAX_DEVICE_MODEL_CHARS,
  platform: MAX_PLATFORM_CHARS,
  branch: MAX_BRANCH_CHARS,
  knownIssueId: MAX_ID_CHARS,
  reporterKeyHash: MAX_ID_CHARS,
} as const satisfies Record<
  'title' | 'description' | 'knownIssueId' | 'reporterKeyHash' | keyof DeviceFields,
  number
>

const SHORT_DESCRIPTION_CHARS = 4_096

/** Creates the report to store and send, within the server's limits. Adds the names of cut fields to `trimmed`. */
export function composeReport(
  content: ReportContent,
  rest: Omit<Report, keyof ReportContent>,
  trimmed: string[],
): Report {
  const { category, fingerprint, exception, attachments } = content
  return {
    category,
    fingerprint,
    exception,
    attachments,
    ...(fitTexts(content, trimmed) as Pick<Report, 'title'>),
    metadata: fitValues(content, 'metadata', MAX_METADATA_MEMBERS, MAX_METADATA_STRING_CHARS, trimmed),
    context: fitValues(content, 'context', MAX_CONTEXT_FIELDS, MAX_CONTEXT_STRING_CHARS, trimmed),
    reporter: fitValues(content, 'reporter', MAX_CONTEXT_FIELDS, MAX_REPORTER_CHARS, trimmed),
    ...rest,
  }
}

/** Only the text fields that are present, cut to their limits. */
export function fitTexts(content: Partial<ReportContent>, trimmed: string[] = []): Partial<ReportContent> {
  const fitted: Record<string, string> = {}
  for (const [name, most] of Object.entries(MAX_CHARS)) {
    const value = content[name as keyof typeof MAX_CHARS]
    if (value) fitted[name] = fitText(value, most, name, trimmed)
  }
  return fitted
}

/** Removes only the values that the server would refuse. */
function fitValues(
  content: ReportContent,
  field: 'metadata' | 'context' | 'reporter',
  maxValues: number,
  maxChars: number,
  trimmed: string[],
): Record<string, never> | undefined {
  const fitted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries<unknown>(Object(content[field]))) {
    const path = `${field}.${name}`
    const isText = typeof value === 'string'
    const fits =
      name &&
      name.length <= MAX_METADATA_KEY_CHARS &&
      Object.keys(fitted).length < maxValues &&
      (isText || value === !!value || Number.isFinite(value))
    if (fits) fitted[name] = isText ? fitText(value, maxChars, path, trimmed) : value
    else if (value !== undefined) trimmed.push(path)
  }
  return Object.keys(fitted)[0] ? (fitted as Record<string, never>) : undefined
}

/** Cuts a text to its limit, which counts code points, and removes NUL, which no field may contain. */
function fitText(value: unknown, most: number, name: string, trimmed: string[]): string {
  const text = String(value).replaceAll('\0', '')
  const start = text.length > most ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text
  if (start !== text) trimmed.push(name)
  return start
}

/** A version of a refused report that the server may accept: shorter, or without the fields named in the response. */
export function mendReport(
  report: Report,
  answer: Answer,
): readonly [report: Report, trimmed: readonly string[]] | undefined {
  const { status, body } = answer
  const metadata = { ...report.metadata }
  const mended: Record<string, unknown> = { ...report, metadata }
  // A proxy may have a lower limit and refuse the report before it reaches the server.
  const isTooLarge = status === 413
  if (!isTooLarge && (status !== 422 || !isFromServer(answer))) return undefined
  const pointers = isTooLarge
    ? ['#/metadata', '#/description']
    : Object.values(Object(Object(body).errors)).map((fault) => `${Object(fault).pointer}`)
  const trimmed = pointers.flatMap((pointer) => {
    const [, field = '', name = ''] = pointer.split('/')
    const before = JSON.stringify(mended[field])
    // "#/metadata/screen" refers to that value only. The counts of lost reports are kept: they are never too large.
    if (field !== 'metadata')
      mended[field] = isTooLarge ? report.description?.slice(0, SHORT_DESCRIPTION_CHARS) : undefined
    else if (name in metadata) delete metadata[name]
    else mended[field] = countsIn(metadata)
    return JSON.stringify(mended[field]) === before ? [] : [pointer.slice(2).replaceAll('/', '.')]
  })
  return trimmed[0] && mended['title'] ? [mended as unknown as Report, trimmed] : undefined
}

/** Creates a UUIDv7. Later ids sort later, which keeps the server's index on them compact. */
export function createSubmissionId(now: number, random: () => number): string {
  const time = now.toString(16).padStart(12, '0')
  const form = `${time.slice(0, 8)}-${time.slice(8)}-7xxx-8xxx-xxxxxxxxxxxx`
  return form.replace(/x/g, () => ((random() * 16) | 0).toString(16))
}
