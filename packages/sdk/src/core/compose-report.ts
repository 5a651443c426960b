import {
  MAX_APP_VERSION_CHARS,
  MAX_BRANCH_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_DEVICE_MODEL_CHARS,
  MAX_OS_VERSION_CHARS,
  MAX_PLATFORM_CHARS,
  MAX_TITLE_CHARS,
} from '@bugle/contract/vocabulary'
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

/** Makes the report that will be stored and sent, within the server's limits. */
export function composeReport(
  content: ReportContent,
  rest: Pick<Report, 'submissionId' | 'occurredAt' | 'metadata' | 'sdk'>,
): Report {
  const { category, fingerprint } = content
  return { category, fingerprint, ...(fitTexts(content) as Pick<Report, 'title'>), ...rest }
}

/** The texts that are there, within their limits; nothing else that an object may bring along. */
export function fitTexts(content: Partial<ReportContent>): Partial<ReportContent> {
  const fitted: Record<string, string> = {}
  for (const [name, most] of Object.entries(MAX_CHARS)) {
    const value = content[name as keyof typeof MAX_CHARS]
    if (value) fitted[name] = fitText(String(value), most)
  }
  return fitted
}

/** The beginning of a text. Limits count code points; NUL is what no member may contain. */
function fitText(text: string, most: number): string {
  const clean = text.replaceAll('\0', '')
  return clean.length > most ? [...clean].slice(0, most).join('') : clean
}
