import { endpoints, type IssueRecord, type IssueSubmission } from '@bugle/contract'
import { hashContent } from '../../model/content-hashes.ts'
import { mintId, projectNumberOf } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { normaliseSubmission } from '../../model/report-content.ts'
import type { NewReport, Receipt } from '../../model/reports.ts'
import { type Caller, hasScope, requireSight } from '../access/access.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueDependencies } from './issue-finder.ts'

export interface Submissions {
  /** Stores a report, or counts it on the issue it belongs to. With the same submission id, the first answer comes again. */
  submit(caller: Caller, submission: IssueSubmission, submissionId: string | null): Promise<Submitted>
}

export interface Submitted {
  readonly kind: 'created' | 'joined'
  readonly isReplayed: boolean
  readonly record: IssueRecord
}

export function createSubmissions({ storage, catalog, clock }: IssueDependencies): Submissions {
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
      const issueId = mintId('iss', receivedAt, projectNumberOf(project.id))
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
      return {
        kind: receipt.reportCount === 1 ? 'created' : 'joined',
        isReplayed: kind === 'replayed',
        record: showReceipt(receipt, content.title, hasScope(caller, 'issues:read')),
      }
    },
  }
}

interface Submitter {
  readonly key: KeyRecord
  readonly project: ProjectRecord
  readonly lanes: readonly Lane[]
}

/**
 * Without `issues:read` the record is about the submitted report alone. Anyone can guess a fingerprint, so the status, age and
 * report count of the issue behind it are for readers only.
 */
function showReceipt(receipt: Receipt, title: string, isReader: boolean): IssueRecord {
  const { issueId: id, issueNumber, status, createdAt, receivedAt, reportCount } = receipt
  if (reportCount === 1 || !isReader) {
    return { id, issueNumber, title, status: 'open', createdAt: isoTime(receivedAt) }
  }
  return { id, issueNumber, title, status, createdAt: isoTime(createdAt), reportCount }
}
