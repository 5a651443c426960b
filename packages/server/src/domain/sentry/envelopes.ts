import { sentryEndpoints } from '@bugle/contract/sentry'
import type { Clock } from '../../clock.ts'
import { type ProjectId, projectNumberOf } from '../../model/ids.ts'
import type { File, MappedEnvelope, MappedReport } from '../../model/sentry/map-envelope.ts'
import type { Caller } from '../access/access.ts'
import type { Intake } from '../access/intake.ts'
import type { RateLimiter } from '../access/rate-limits.ts'
import { requireSubmitter } from '../access/submitters.ts'
import type { Uploads } from '../attachments/uploads.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Submissions } from '../issues/submissions.ts'
import type { Catalog } from '../projects/catalog.ts'

/** What Sentry's SDKs send. */
export interface Envelopes {
  /** The project of the key; fails unless it has this number. */
  requireProject(caller: Caller, projectNumber: string): Promise<ProjectId>
  /** Stores what is kept of an envelope, by the same rules as any submission and upload, and counts the rest. */
  receive(caller: Caller, envelope: MappedEnvelope, from: EnvelopeOrigin): Promise<void>
}

export interface EnvelopeOrigin {
  readonly projectId: ProjectId
  /** The client's address. */
  readonly address: string
}

interface EnvelopeDependencies {
  readonly submissions: Submissions
  readonly uploads: Uploads
  readonly catalog: Catalog
  readonly intake: Intake
  readonly clock: Clock
  /** Absent if rate limits are off. */
  readonly limiter: RateLimiter | undefined
}

export function createEnvelopes(parts: EnvelopeDependencies): Envelopes {
  const { submissions, uploads, catalog, intake, clock, limiter } = parts

  /** Resolves to whether the report is stored. An id that was used with other content is not the sender's to correct. */
  async function submit(
    caller: Caller,
    { submission, submissionId }: MappedReport,
    { projectId, address }: EnvelopeOrigin,
  ) {
    try {
      await submissions.submit(caller, submission, { submissionId, address })
      return true
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'submission-conflict') throw error
      if (caller.kind === 'key') intake.refuse(projectId, caller.key.id, error.code)
      return false
    }
  }

  /** The report is stored, so that a file that is refused does not fail the request. */
  async function upload(
    caller: Caller,
    submissionId: string,
    file: File,
    { projectId, address }: EnvelopeOrigin,
  ) {
    const { size, sha256 } = file.declared
    const bytes = bytesOf(file)
    // A file counts as one upload, in whatever request it arrives.
    const upload = { caller, address, isSubmission: false, isUpload: true }
    if (limiter?.judge(upload, clock()).exceeded) return intake.skip(projectId, 'attachment')
    try {
      await uploads.upload(caller, { submissionId, sha256, length: size, bytes, address, onSize() {} })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      intake.skip(projectId, 'attachment')
    }
  }

  return {
    async requireProject(caller, projectNumber) {
      const { project } = await requireSubmitter(caller, sentryEndpoints.sendEnvelope.access, catalog)
      if (String(projectNumberOf(project.id)) !== projectNumber) throw notFound()
      return project.id
    },

    async receive(caller, { reports, skipped }, from) {
      for (const reason of skipped) intake.skip(from.projectId, reason)
      for (const report of reports) {
        const isStored = await submit(caller, report, from)
        const { submissionId, files } = report
        if (!isStored || submissionId === null) continue
        for (const file of files) await upload(caller, submissionId, file, from)
      }
    },
  }
}

async function* bytesOf({ chunks }: File): AsyncGenerator<Uint8Array> {
  yield* chunks
}
