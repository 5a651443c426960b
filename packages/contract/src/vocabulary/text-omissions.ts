/**
 * Why a report has no text. `limit`: the issue has too many different texts. `redacted`: someone removed it.
 * `not-recorded`: the report is older than the release that began to keep texts.
 */
export const TEXT_OMISSIONS = ['limit', 'redacted', 'not-recorded'] as const

export type TextOmission = (typeof TEXT_OMISSIONS)[number]
