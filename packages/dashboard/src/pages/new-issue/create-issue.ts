import { type Category, CSRF_HEADER, endpoints, type IssueRecord, type Priority } from '@bugle/contract'
import { client } from '../../api/client.ts'

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
  files: readonly File[],
): Promise<CreatedIssue> {
  const digests = new Map<string, File>()
  for (const file of files) digests.set(await digestOf(file), file)
  const attachments = [...digests].map(([sha256, { name, type, size }]) => ({
    sha256,
    name,
    size,
    contentType: type.split(';')[0]?.trim() || 'application/octet-stream',
  }))
  const { body: record } = await client.call(endpoints.createIssue, {
    params: { idOrSlug: slug },
    body: {
      ...issue,
      ...(description.trim() !== '' && { description }),
      ...(attachments.length > 0 && { attachments }),
    },
  })
  const missing: string[] = []
  for (const [sha256, file] of digests)
    if (!(await upload(slug, issue.submissionId, sha256, file))) missing.push(file.name)
  return { record, missing }
}

/** A browser computes digests only on pages that were loaded over HTTPS or from this computer. */
export function canSendFiles(): boolean {
  return window.isSecureContext
}

/** Whether it was received. The issue exists either way, and says what is missing. */
async function upload(slug: string, submissionId: string, sha256: string, file: File): Promise<boolean> {
  const address = endpoints.uploadIssueAttachment.path
    .replace('{idOrSlug}', slug)
    .replace('{submissionId}', submissionId)
    .replace('{sha256}', sha256)
  try {
    const headers = { [CSRF_HEADER]: '1', 'Content-Type': 'application/octet-stream' }
    return (await fetch(address, { method: 'PUT', headers, body: file })).ok
  } catch {
    // The connection was lost. The page of the issue shows the file as not received.
    return false
  }
}

async function digestOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
