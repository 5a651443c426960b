import {
  endpoints,
  type IssueCreation,
  type IssueRecord,
  type IssueSubmission,
  type SubmittedException,
} from '@bugle/contract'
import { withException } from '../../model/crashes/crash-content.ts'
import { storeExceptions } from '../../model/crashes/report-exceptions.ts'
import { isId, mintId, projectNumberOf } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { withBrowser } from '../../model/reports/browsers.ts'
import { hashContent } from '../../model/reports/content-hashes.ts'
import type { NewReport, Receipt } from '../../model/reports/reports.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import type { Revocation } from '../../storage/ports/issues.ts'
import { actorOf, type Caller, hasScope, personOf, requireSight } from '../access/access.ts'
import type { Senders } from '../access/senders.ts'
import { requireSubmitter } from '../access/submitters.ts'
import type { AttachmentLimits } from '../attachments/attachment-limits.ts'
import { checkDeclarations, type Omissions, toNewAttachments } from '../attachments/declarations.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueDependencies } from './issue-finder.ts'

export interface Submissions {
  /** Stores a report as a new issue or adds it to one. Repeating a submission id returns the first response again. */
  submit(caller: Caller, submission: IssueSubmission, from: SubmissionOrigin): Promise<Submitted>
  /** Stores an issue of the team, once per submission id. A person who calls is its reporter. */
  create(caller: Caller, idOrSlug: string, creation: IssueCreation): Promise<Submitted>
}

export interface SubmissionOrigin {
  /** The client's id of the submission. */
  readonly submissionId: string | null
  /** The client's address. */
  readonly address: string
  /** Declared files that will not arrive, by digest. */
  readonly omitted?: Omissions
  /** Absent: the report is not given up. */
  readonly revocation?: Revocation
}

export interface SubmissionDependencies extends IssueDependencies {
  readonly senders: Senders
  readonly attachmentLimits: AttachmentLimits
}

export interface Submitted {
  readonly kind: 'created' | 'joined'
  readonly isReplayed: boolean
  readonly record: IssueRecord
}

export function createSubmissions({
  storage,
  catalog,
  clock,
  senders,
  attachmentLimits,
}: SubmissionDependencies): Submissions {
  async function store(
    project: ProjectRecord,
    report: Pick<
      NewReport,
      | 'actor'
      | 'lanes'
      | 'content'
      | 'submission'
      | 'onDefaultBranch'
      | 'exception'
      | 'sender'
      | 'isSpam'
      | 'knownIssueId'
    >,
    declared: IssueSubmission['attachments'],
    { omitted, revocation }: Pick<SubmissionOrigin, 'omitted' | 'revocation'>,
  ) {
    for (;;) {
      const receivedAt = clock()
      const projectNumber = projectNumberOf(project.id)
      const issueId = mintId('iss', receivedAt, projectNumber)
      const attachments = declared && toNewAttachments(declared, receivedAt, projectNumber, omitted)
      const identity = { projectId: project.id, issueId, receivedAt }
      const outcome = await storage.issues.submit(
        { ...report, ...identity, ...(attachments && { attachments }) },
        revocation,
      )
      if (outcome.kind === 'no-project') throw notFound()
      if (outcome.kind === 'conflict') {
        throw new DomainError('submission-conflict', {
          detail: 'This submission id was already used with different content. Nothing was stored.',
        })
      }
      if (outcome.kind !== 'id-taken') return outcome
    }
  }

  /** Stores a report of a caller who may submit it. */
  async function accept(
    { project, isReader, ...author }: Author,
    submission: IssueSubmission,
    { submissionId, ...fate }: Omit<SubmissionOrigin, 'address'>,
  ): Promise<Submitted> {
    const { attachments, exception } = submission
    if (attachments) checkDeclarations(attachments, submissionId, attachmentLimits)
    const sent = normaliseSubmission(submission)
    // The hash covers what was sent, so that a change to the fingerprint rules cannot turn a retry into a conflict.
    const others = {
      exception: exception ? exception.map(withFrameText) : null,
      attachments: attachments ?? null,
      knownIssueId: submission.knownIssueId ?? null,
    }
    const hashSent = () => hashContent({ ...sent, ...others })
    const named = submissionId === null ? null : { id: submissionId, contentHash: hashSent() }
    const content = withBrowser(withException(sent, exception))
    const report = {
      ...author,
      content,
      onDefaultBranch: content.branch ? content.branch === project.defaultBranch : null,
      submission: named,
      ...(exception && { exception: storeExceptions(exception) }),
      ...knownIssueOf(submission, project),
    }
    const { kind, receipt } = await store(project, report, attachments, fate)
    return {
      kind: receipt.reportCount === 1 ? 'created' : 'joined',
      isReplayed: kind === 'replayed',
      record: showReceipt(receipt, content.title, isReader),
    }
  }

  return {
    async submit(caller, submission, { address, ...origin }) {
      const { key, project, lanes } = await requireSubmitter(caller, endpoints.submitIssue.access, catalog)
      const { sender, isBlocked } = await senders.identify(
        project.id,
        {
          // A secret key is used by servers, whose address says nothing about who reports.
          address: key.kind === 'public' ? address : null,
          reporterKeyHash: submission.reporterKeyHash ?? null,
        },
        clock(),
      )
      const author = {
        actor: key.id,
        project,
        lanes,
        isReader: hasScope(caller, 'issues:read'),
        sender,
        isSpam: isBlocked,
      }
      return accept(author, submission, origin)
    },

    async create(caller, idOrSlug, { submissionId, ...content }) {
      const project = await catalog.findProject(idOrSlug)
      const { lanes } = requireSight(caller, endpoints.createIssue.access, project)
      if (project === undefined) throw notFound()
      const author = {
        actor: actorOf(caller),
        project,
        lanes,
        isReader: hasScope(caller, 'issues:read'),
        sender: null,
        isSpam: false,
      }
      return accept(author, { ...content, reporter: reporterOf(caller) }, { submissionId })
    },
  }
}

interface Author extends Pick<NewReport, 'actor' | 'lanes' | 'sender' | 'isSpam'> {
  readonly project: ProjectRecord
  /** Whether they may read issues. */
  readonly isReader: boolean
}

/** The person who creates an issue is its reporter. One that was created with a key has none. */
function reporterOf(caller: Caller): NonNullable<IssueSubmission['reporter']> | null {
  const person = personOf(caller)
  return person === undefined ? null : { id: person.id, name: person.name, email: person.email }
}

/** The known issue that a report names. An id that no issue of the project can have is ignored, like that of an unpublished one. */
function knownIssueOf(
  { knownIssueId: id }: IssueSubmission,
  project: ProjectRecord,
): Pick<NewReport, 'knownIssueId'> {
  if (!id || !isId('iss', id) || projectNumberOf(id) !== projectNumberOf(project.id)) return {}
  return { knownIssueId: id }
}

/** Sorting the fields of every frame would take longer than everything else that is done with them. */
function withFrameText({ frames, ...exception }: SubmittedException): object {
  return frames ? { ...exception, frames: JSON.stringify(frames) } : exception
}

/**
 * Without `issues:read`, the record describes only the submitted report. Anyone can guess a fingerprint, so the status,
 * age and report count of the matching issue are shown only to callers who may read issues.
 */
function showReceipt(receipt: Receipt, title: string, isReader: boolean): IssueRecord {
  const { issueId: id, issueNumber, status, createdAt, receivedAt, reportCount } = receipt
  if (reportCount === 1 || !isReader) {
    return { id, issueNumber, title, status: 'open', createdAt: isoTime(receivedAt) }
  }
  return { id, issueNumber, title, status, createdAt: isoTime(createdAt), reportCount }
}
