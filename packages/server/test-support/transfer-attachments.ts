import { Readable } from 'node:stream'
import { mintId, projectNumberOf } from '../src/model/ids.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import type { NewAttachment } from '../src/model/reports/attachments.ts'
import { type FileStore, mintFileName } from '../src/storage/files/file-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { sha256Of } from './attachment-stage.ts'
import { LANES, NOW, reportOf } from './transfer-projects.ts'

/** Reports of one issue with files: a large one, one that two reports have, an empty one, and one that has not arrived. */
export async function reportWithFiles(
  storage: Storage,
  project: ProjectRecord,
  files: FileStore,
): Promise<void> {
  const large = Buffer.alloc(500_000, 'A large file. ')
  const shared = Buffer.from('In two reports.')
  const sent = [
    { submissionId: 'files-1', contents: [large, shared] },
    { submissionId: 'files-2', contents: [shared, Buffer.alloc(0)] },
    { submissionId: 'files-3', contents: [Buffer.from('Never sent.')] },
  ]
  for (const { submissionId, contents } of sent) {
    const report = reportOf(project, null, 'With files', {
      id: submissionId,
      contentHash: '09'.repeat(16),
    })
    const attachments = contents.map((bytes, index) =>
      attachmentOf(project, bytes, `Schirm ${index} 漢字.png`),
    )
    const content = { ...report.content, fingerprint: 'files' }
    await storage.issues.submit({ ...report, content, attachments })
  }
  for (const { submissionId, contents } of sent.slice(0, 2))
    for (const bytes of contents)
      await receiveFile(storage, { project, place: { submissionId }, bytes, files })
  const bytes = Buffer.from('Of a comment.')
  await commentWithFile(storage, project, bytes)
  const place = { issueNumber: 1, commentId: 'with-file' }
  await receiveFile(storage, { project, place, bytes, files })
}

/** A comment on the first issue that has a file. */
async function commentWithFile(storage: Storage, project: ProjectRecord, bytes: Buffer): Promise<void> {
  const issue = await storage.issues.findByNumber(project.id, 1)
  if (issue === undefined) throw new Error('there is no issue')
  await storage.comments.create({
    ...{
      projectId: project.id,
      issueId: issue.id,
      commentId: 'with-file',
      lanes: LANES,
      actor: null,
      at: NOW,
    },
    ...{ text: 'See the picture', audience: 'team', mentioned: [] },
    attachments: [attachmentOf(project, bytes, 'Bild.png')],
  })
}

function attachmentOf(project: ProjectRecord, bytes: Buffer, name: string): NewAttachment {
  return {
    id: mintId('att', NOW, projectNumberOf(project.id)),
    name,
    declaredType: 'image/png',
    size: bytes.length,
    sha256: sha256Of(bytes),
    omitted: null,
  }
}

interface Received {
  readonly project: ProjectRecord
  readonly place:
    | { readonly submissionId: string }
    | { readonly issueNumber: number; readonly commentId: string }
  readonly bytes: Buffer
  readonly files: FileStore
}

async function receiveFile(storage: Storage, { project, place, bytes, files }: Received): Promise<void> {
  const file = mintFileName(project.id)
  const sha256 = sha256Of(bytes)
  await files.put({ name: file, size: bytes.length, sha256 }, Readable.from([bytes]))
  await storage.attachments.receive({
    ...{ projectId: project.id, ...place, sha256, actor: null, at: NOW, maxProjectBytes: 1e9 },
    stored: { file, contentType: bytes.length > 100 ? 'image/png' : null },
  })
}
