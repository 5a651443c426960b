import { hash, randomBytes } from 'node:crypto'
import { toNewAttachments } from '../../src/domain/attachments/declarations.ts'
import { projectNumberOf } from '../../src/model/ids.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { NewReport } from '../../src/model/reports/reports.ts'
import type { FileName } from '../../src/storage/files/file-store.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** Stores a file of a report, reads it, and removes it with its issue. */
export async function playFiles(storage: Storage, project: ProjectRecord, report: NewReport): Promise<void> {
  const { issues, attachments, ownFiles, stats } = storage
  if (ownFiles === null) throw new Error('PostgreSQL stores files itself')
  const { id: projectId } = project
  const at = report.receivedAt
  const bytes = randomBytes(1_000)
  const sha256 = hash('sha256', bytes)
  const size = bytes.length
  const declared = [{ name: 'a.bin', contentType: 'application/octet-stream', size, sha256 }]
  const submissionId = `files-${sha256.slice(0, 20)}`
  const outcome = await issues.submit({
    ...report,
    submission: { id: submissionId, contentHash: '00'.repeat(16) },
    attachments: toNewAttachments(declared, at, projectNumberOf(projectId)),
  })
  if (!('receipt' in outcome)) throw new Error(`the story has lost its file: ${outcome.kind}`)
  const { issueId, issueNumber } = outcome.receipt

  const file: FileName = `${projectNumberOf(projectId)}/${randomBytes(16).toString('hex')}`
  const place = { projectId, submissionId, sha256 }
  await attachments.findDeclaration(place)
  await ownFiles.put({ name: file, size, sha256 }, [bytes] as unknown as AsyncIterable<Uint8Array>)
  const stored = { file, contentType: null }
  await attachments.receive({ ...place, actor: null, at, stored, maxProjectBytes: 1e12 })
  const [listed] = await attachments.list({ projectId, issueNumber, afterNumber: 1e12, limit: 25 })
  if (listed === undefined) throw new Error('the file of the story is not listed')
  await attachments.projectBytes(projectId)
  await attachments.find(projectId, listed.id)
  for (const isDamaged of [true, false]) await attachments.noteDamage({ projectId, sha256, file, isDamaged })
  await ownFiles.size(file)
  for await (const _ of ownFiles.read(file, { start: 0, end: size - 1 }));
  await attachments.listOfReports({ projectId, issueNumber, reportNumbers: [1, 3] })
  await attachments.findState(projectId, issueNumber)
  await stats.readWithAttachments({ projectId, lanes: ['open'] })
  await attachments.findNames(projectId, [listed.id])
  await attachments.findFile(projectId, sha256)
  await attachments.releaseOmitted(null)
  // Whichever project it is.
  await attachments.giveUp([1, 2].map((project) => ({ project, name: file, size, sha256 })))
  await attachments.receive({ ...place, actor: null, at, stored, maxProjectBytes: 1e12 })
  await attachments.findOrphans([file])
  await issues.delete({ projectId, issueId, lanes: ['open'], actor: null, at })
  while (await attachments.releaseSome());
  const removed = await attachments.listRemoved(null, 100)
  for (const name of removed) await ownFiles.remove(name)
  await attachments.forgetRemoved(removed)
}
