import {
  MAX_APP_VERSION_CHARS,
  MAX_BRANCH_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_DEVICE_MODEL_CHARS,
  MAX_METADATA_KEY_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
  MAX_OS_VERSION_CHARS,
  MAX_PLATFORM_CHARS,
  MAX_TITLE_CHARS,
} from '@bugle/contract/vocabulary'
import { type Answer, isFromServer } from './delivery/answers.ts'
import { countsIn } from './delivery/drops.ts'
import type { DeviceFields, Report, ReportContent } from './types.ts'

/** The texts of a report, with the most characters the server takes of each. */
const MAX_CHARS = {
  title: MAX_TITLE_CHARS,
  description: MAX_DESCRIPTION_CHARS,
  appVersion: MAX_APP_VERSION_CHARS,
  buildNumber: MAX_BUILD_NUMBER_CHARS,
  osVersion: MAX_OS_VERSION_CHARS,
  deviceModel: MAX_DEVICE_MODEL_CHARS,
  platform: MAX_PLATFORM_CHARS,
  branch: MAX_BRANCH_CHARS,
} as const satisfies Record<'title' | 'description' | keyof DeviceFields, number>

const SHORT_DESCRIPTION_CHARS = 4_096

/** Creates the report that will be stored and sent, within the server's limits; `trimmed` gets the names of what was cut. */
export function composeReport(
  content: ReportContent,
  rest: Omit<Report, keyof ReportContent>,
  trimmed: string[],
): Report {
  const { category, fingerprint, metadata } = content
  return {
    category,
    fingerprint,
    ...(fitTexts(content, trimmed) as Pick<Report, 'title'>),
    metadata: fitMetadata(Object(metadata), trimmed),
    ...rest,
  }
}

/** The texts that are there, within their limits; nothing else that an object may bring along. */
export function fitTexts(content: Partial<ReportContent>, trimmed: string[] = []): Partial<ReportContent> {
  const fitted: Record<string, string> = {}
  for (const [name, most] of Object.entries(MAX_CHARS)) {
    const value = content[name as keyof typeof MAX_CHARS]
    if (value) fitted[name] = fitText(value, most, name, trimmed)
  }
  return fitted
}

/** A value that the server would refuse costs only itself. */
function fitMetadata(metadata: Readonly<Record<string, unknown>>, trimmed: string[]): Report['metadata'] {
  const fitted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(metadata)) {
    const path = `metadata.${name}`
    const isText = typeof value === 'string'
    const fits =
      name &&
      name.length <= MAX_METADATA_KEY_CHARS &&
      Object.keys(fitted).length < MAX_METADATA_MEMBERS &&
      (isText || value === !!value || Number.isFinite(value))
    if (fits) fitted[name] = isText ? fitText(value, MAX_METADATA_STRING_CHARS, path, trimmed) : value
    else if (value !== undefined) trimmed.push(path)
  }
  return Object.keys(fitted)[0] === undefined ? undefined : (fitted as Report['metadata'])
}

/** The beginning of a text. Limits count code points; NUL is what no field may contain. */
function fitText(value: unknown, most: number, name: string, trimmed: string[]): string {
  const text = String(value).replaceAll('\0', '')
  const start = text.length > most ? [...text.slice(0, 2 * most)].slice(0, most).join('') : text
  if (start !== text) trimmed.push(name)
  return start
}

/** What the server may accept instead of the report it refused: without the fields it complains about, or shorter. */
export function mendReport(
  report: Report,
  answer: Answer,
): { readonly report: Report; readonly trimmed: readonly string[] } | undefined {
  const { status, body } = answer
  const metadata = { ...report.metadata }
  const mended: Record<string, unknown> = { ...report, metadata }
  // A proxy may have a limit of its own, so a report can be too large for others than the server.
  const isTooLarge = status === 413
  if (!isTooLarge && (status !== 422 || !isFromServer(answer))) return undefined
  const pointers = isTooLarge
    ? ['#/metadata', '#/description']
    : Object.values(Object(Object(body).errors)).map((fault) => String(Object(fault).pointer))
  const trimmed = pointers.flatMap((pointer) => {
    const [, field = '', name = ''] = pointer.split('/')
    const before = JSON.stringify(mended[field])
    // "#/metadata/screen" is a fault of that one value. The counts of losses are never what is too large.
    if (name in metadata) delete metadata[name]
    else if (field === 'metadata') mended[field] = countsIn(metadata)
    else mended[field] = isTooLarge ? report.description?.slice(0, SHORT_DESCRIPTION_CHARS) : undefined
    return JSON.stringify(mended[field]) === before ? [] : [pointer.slice(2).replace('/', '.')]
  })
  return trimmed[0] && mended['title'] ? { report: mended as unknown as Report, trimmed } : undefined
}

/** Creates a UUIDv7: ids created later sort later, so the server's index of them stays compact. */
export function createSubmissionId(now: number, random: () => number): string {
  const time = now.toString(16).padStart(12, '0')
  const form = `${time.slice(0, 8)}-${time.slice(8)}-7xxx-8xxx-xxxxxxxxxxxx`
  return form.replace(/x/g, () => ((random() * 16) | 0).toString(16))
}
