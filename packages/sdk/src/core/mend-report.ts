import type { Answer } from './judge-answer.ts'
import type { Report } from './types.ts'

const SHORT_DESCRIPTION_CHARS = 4_096

/** What the server may take instead of the report it refused: without the members it complains about, or shorter. */
export function mendReport(report: Report, { status, body }: Answer): Report | undefined {
  const mended: Record<string, unknown> = { ...report }
  if (status === 413) {
    mended['metadata'] = undefined
    mended['description'] = report.description?.slice(0, SHORT_DESCRIPTION_CHARS)
  } else if (status === 422) {
    // Whatever stands between us and the server may have its own idea of errors.
    // "#/metadata/screen" is a fault of the metadata.
    for (const fault of Object.values(Object(Object(body).errors)))
      mended[String(Object(fault).pointer).split('/')[1] ?? ''] = undefined
  } else return undefined
  return mended['title'] ? (mended as unknown as Report) : undefined
}
