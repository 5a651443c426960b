import { endpoints, type IssueRecord, type IssueSubmission, type JoinedIssueRecord } from '@bugle/contract'
import { mintId, ordinalOf } from '../ids.ts'
import type { KeyRecord } from '../storage/records/keys.ts'
import type { Lane } from '../storage/records/lanes.ts'
import type { ProjectRecord } from '../storage/records/projects.ts'
import type { NewReport, Receipt } from '../storage/records/reports.ts'
import { type Caller, requireSight } from './access.ts'
import { DomainError, notFound } from './domain-error.ts'
import { isoTime } from './iso-time.ts'
import type { IssueParts } from './issues.ts'
import { hashContent, normaliseSubmission } from './report-content.ts'

export interface Submissions {
  /** Stores a report, or counts it on the issue it belongs to. With the same submission id, the first answer comes again. */
  submit(caller: Caller, submission: IssueSubmission, submissionId: string | null): Promise<Submitted>
}

export type Submitted = { readonly isReplayed: boolean } & (
  | { readonly kind: 'created'; readonly record: IssueRecord }
  | { readonly kind: 'joined'; readonly record: JoinedIssueRecord }
)

export function createSubmissions({ storage, catalog, clock }: IssueParts): Submissions {
  /** Whoever submits does so by a key of a project; the key says which. */
  async function requireSubmitter(caller: Caller): Promise<Submitter> {
    const key = caller.kind === 'key' ? caller.key : undefined
    if (key?.projectId === null) {
      throw new DomainError('insufficient-scope', {
        detail:
          'A key for all projects can not submit: the project comes from the key. Use a key of the project.',
      })
    }
    const project = key && (await catalog.findProject(key.projectId))
    const { lanes } = requireSight(caller, endpoints.submitIssue.access, project)
    if (key === undefined || project === undefined) throw notFound()
    return { key, project, lanes }
  }

  async function store(
    project: ProjectRecord,
    report: Pick<NewReport, 'actor' | 'lanes' | 'content' | 'submission'>,
  ) {
    for (;;) {
      const receivedAt = clock()
      const issueId = mintId('iss', receivedAt, ordinalOf(project.id))
      const outcome = await storage.issues.submit({ ...report, projectId: project.id, issueId, receivedAt })
      if (outcome.kind === 'no-project') throw notFound()
      if (outcome.kind === 'conflict') {
        throw new DomainError('submission-conflict', {
          detail: 'This submission id was used before, with other content. Nothing was stored.',
        })
      }
      if (outcome.kind !== 'id-taken') return outcome
    }
  }

  return {
    async submit(caller, submission, submissionId) {
      const { key, project, lanes } = await requireSubmitter(caller)
      const content = normaliseSubmission(submission)
      const named = submissionId === null ? null : { id: submissionId, contentHash: hashContent(content) }
      const { kind, receipt } = await store(project, { actor: key.id, lanes, content, submission: named })
      return showReceipt(receipt, content.title, kind === 'replayed')
    },
  }
}

interface Submitter {
  readonly key: KeyRecord
  readonly project: ProjectRecord
  readonly lanes: readonly Lane[]
}

function showReceipt(receipt: Receipt, title: string, isReplayed: boolean): Submitted {
  const { issueId: id, issueNumber, status, reportCount } = receipt
  const record = { id, issueNumber, title, status, createdAt: isoTime(receipt.createdAt) }
  if (reportCount === 1) return { kind: 'created', isReplayed, record }
  return { kind: 'joined', isReplayed, record: { ...record, reportCount } }
}
