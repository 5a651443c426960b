import { type Category, endpoints, type IssueRecord, type Priority } from '@bugle/contract'
import { client } from '../../api/client.ts'
import { FileNotSent, type PreparedFile, sendFiles } from '../../files/prepared-files.ts'

export interface NewIssue {
  readonly submissionId: string
  readonly title: string
  readonly description: string
  readonly category: Category
  readonly priority: Priority
}

export interface CreatedIssue {
  readonly record: IssueRecord
  /** The names of files that could not be uploaded. */
  readonly missing: readonly string[]
}

/** Creates an issue, and then sends its files. A retry with the same id creates nothing twice. */
export async function createIssue(
  slug: string,
  { description, ...issue }: NewIssue,
  files: readonly PreparedFile[],
): Promise<CreatedIssue> {
  const { body: record } = await client.call(endpoints.createIssue, {
    params: { idOrSlug: slug },
    body: {
      ...issue,
      ...(description.trim() !== '' && { description }),
      ...(files.length > 0 && { attachments: files.map(({ declared }) => declared) }),
    },
  })
  const { submissionId } = issue
  const missing: string[] = []
  for (const file of files) {
    try {
      await sendFiles([file], (content) => client.uploadForTeam({ idOrSlug: slug, submissionId, ...content }))
    } catch (error) {
      // The issue exists, and its page shows the file as not received.
      if (!(error instanceof FileNotSent)) throw error
      missing.push(error.message)
    }
  }
  return { record, missing }
}
