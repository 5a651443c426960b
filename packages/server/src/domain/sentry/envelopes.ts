import { sentryEndpoints } from '@bugle/contract/sentry'
import { type ProjectId, projectNumberOf } from '../../model/ids.ts'
import type { File, MappedEnvelope, MappedReport } from '../../model/sentry/map-envelope.ts'
import type { Revocation } from '../../storage/ports/issues.ts'
import type { Caller } from '../access/access.ts'
import type { Intake } from '../access/intake.ts'
import { requireSubmitter } from '../access/submitters.ts'
import type { EarlyUploads, FileBatch, FileSender } from '../attachments/early-uploads.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Submissions } from '../issues/submissions.ts'
import type { Catalog } from '../projects/catalog.ts'

/** What envelopes in progress may hold in memory together: texts, and packed bodies until they are complete. */
export const ENVELOPE_TEXT_BYTES = 16 * 1024 * 1024

/** What Sentry's SDKs send. */
export interface Envelopes {
  /** The project of the key; fails unless it has this number. */
  requireProject(caller: Caller, projectNumber: string): Promise<ProjectId>
  /** Stores what is kept of an envelope, by the same rules as any submission and upload, and counts the rest. */
  receive(sender: EnvelopeSender, envelope: MappedEnvelope, rest: EnvelopeRest): Promise<void>
  /** For the files of an envelope, which are stored while it arrives. */
  openFiles: EarlyUploads['open']
}

export type EnvelopeSender = FileSender

interface EnvelopeRest {
  readonly files: FileBatch
  /** Gives the envelope up, until something of it is being stored. */
  readonly revocation: Revocation
}

interface EnvelopeDependencies {
  readonly submissions: Submissions
  readonly earlyUploads: EarlyUploads
  readonly catalog: Catalog
  readonly intake: Intake
}

export function createEnvelopes(parts: EnvelopeDependencies): Envelopes {
  const { submissions, earlyUploads, catalog, intake } = parts

  /** Resolves to whether the report is stored. An id that was used with other content is not the sender's to correct. */
  async function submit(
    { caller, projectId, address }: EnvelopeSender,
    { submission, submissionId, files }: MappedReport,
    { files: batch, revocation }: EnvelopeRest,
  ) {
    const omitted = new Map(files.map(({ declared, sink }) => [declared.sha256, batch.omissionOf(sink)]))
    try {
      await submissions.submit(caller, submission, { submissionId, address, omitted, revocation })
      return true
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'submission-conflict') throw error
      if (caller.kind === 'key') intake.refuse(projectId, caller.key.id, error.code)
      return false
    }
  }

  /** The report is stored, so that a file that is refused does not fail the request. */
  async function receiveFile(sender: EnvelopeSender, submissionId: string, file: File, files: FileBatch) {
    const { declared, sink } = file
    const place = { submissionId, sha256: declared.sha256 }
    const isOmitted = files.omissionOf(sink) !== null
    const { kind } = isOmitted ? { kind: 'omitted' } : await files.receive(sink, sender, place)
    if (kind !== 'received' && kind !== 'repeated') intake.skip(sender.projectId, 'attachment')
  }

  return {
    async requireProject(caller, projectNumber) {
      const { project } = await requireSubmitter(caller, sentryEndpoints.sendEnvelope.access, catalog)
      if (String(projectNumberOf(project.id)) !== projectNumber) throw notFound()
      return project.id
    },

    openFiles: earlyUploads.open,

    async receive(sender, { reports, skipped }, rest) {
      for (const reason of skipped) intake.skip(sender.projectId, reason)
      for (const report of reports) {
        const isStored = await submit(sender, report, rest)
        const { submissionId, files } = report
        if (!isStored || submissionId === null) continue
        for (const file of files) await receiveFile(sender, submissionId, file, rest.files)
      }
    },
  }
}
