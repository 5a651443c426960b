import type { Answer } from './judge-answer.ts'
import type { Report } from './types.ts'

const SHORT_DESCRIPTION_CHARS = 4_096

/** What the server may take instead of the report it refused: without the members it complains about, or shorter. */
export function mendReport(report: Report, { status, body }: Answer): Report | undefined {
  const { metadata, description, ...rest } = report
  if (status === 413) return { ...rest, description: description?.slice(0, SHORT_DESCRIPTION_CHARS) }
  if (status !== 422) return undefined
  const { errors = [] } = Object(body) as { errors?: readonly { pointer?: string }[] }
  // "#/metadata/screen" is a fault of the metadata.
  const refused = errors.map(({ pointer }) => pointer?.split('/')[1] ?? '')
  if (refused.includes('title')) return undefined
  const kept = Object.entries(report).filter(([member]) => !refused.includes(member))
  return Object.fromEntries(kept) as unknown as Report
}
