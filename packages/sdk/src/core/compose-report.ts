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
import type { DeviceFields, Report } from './types.ts'

/** The six fields, with the most characters the server takes of each. */
export const DEVICE_FIELDS = {
  appVersion: MAX_APP_VERSION_CHARS,
  buildNumber: MAX_BUILD_NUMBER_CHARS,
  osVersion: MAX_OS_VERSION_CHARS,
  deviceModel: MAX_DEVICE_MODEL_CHARS,
  platform: MAX_PLATFORM_CHARS,
  branch: MAX_BRANCH_CHARS,
} as const satisfies Record<keyof DeviceFields, number>

/** What is to be reported, before it is a report. */
export type Draft = Pick<Report, 'title' | 'description' | 'category' | 'fingerprint' | 'metadata'>

/** Makes the report that will be stored and sent, within the server's limits. */
export function composeReport(
  draft: Draft,
  device: DeviceFields,
  rest: Pick<Report, 'submissionId' | 'occurredAt' | 'metadata' | 'sdk'>,
): Report {
  return {
    ...draft,
    title: fitText(draft.title, MAX_TITLE_CHARS),
    description: draft.description && fitText(draft.description, MAX_DESCRIPTION_CHARS),
    ...fitDevice(device),
    ...rest,
  }
}

/** The six fields within their limits; nothing else that an object may bring along. */
export function fitDevice(device: DeviceFields): DeviceFields {
  const fields = Object.entries(DEVICE_FIELDS).flatMap(([name, most]) => {
    const value = device[name as keyof DeviceFields]
    return value ? [[name, fitText(String(value), most)] as const] : []
  })
  return Object.fromEntries(fields)
}

/** The beginning of a text. Limits count code points; NUL is what no member may contain. */
function fitText(text: string, most: number): string {
  const clean = text.replaceAll('\0', '')
  return clean.length > most ? [...clean].slice(0, most).join('') : clean
}
