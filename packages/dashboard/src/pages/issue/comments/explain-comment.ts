import { FileNotSent } from '../../../files/prepared-files.ts'
import { explain } from '../../../ui/feedback/failure.tsx'

/** Explains why a comment, or one of its files, was not sent. */
export function explainComment(error: unknown): string {
  if (!(error instanceof FileNotSent)) return explain(error)
  return `The comment was saved, but the file “${error.message}” was not sent. ${explain(error.cause)} Send it again to retry.`
}
