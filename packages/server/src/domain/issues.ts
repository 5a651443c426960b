import {
  type Access,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type Issue,
  type IssuePage,
  type IssueQuery,
  type IssueRecord,
  type IssueSubmission,
  type JoinedIssueRecord,
  MAX_PAGED_ROWS,
} from '@bugle/contract'
import type { Clock } from '../clock.ts'
import { isId, mintId, ordinalOf } from '../ids.ts'
import type {
  IssueSelection,
  KeyRecord,
  ListStart,
  NewReport,
  ProjectRecord,
  Receipt,
} from '../storage/records.ts'
import { laneOf } from '../storage/records.ts'
import type { Storage } from '../storage/storage.ts'
import { type Caller, requireSight, type Sight } from './access.ts'
import type { Catalog } from './catalog.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { DomainError, notFound } from './domain-error.ts'
import { isoTime, showIssue, showListItem, tagOfIssue } from './issue-views.ts'
import { hashContent, normaliseSubmission } from './submissions.ts'

/** What can be done with issues. */
export interface Issues {
  submit(caller: Caller, submission: IssueSubmission, submissionId: string | null): Promise<Submitted>
  retrieve(caller: Caller, id: string): Promise<{ readonly issue: Issue; readonly tag: string }>
  list(caller: Caller, query: IssueQuery): Promise<IssuePage>
}

export type Submitted = { readonly isReplayed: boolean } & (
  | { readonly kind: 'created'; readonly record: IssueRecord }
  | { readonly kind: 'joined'; readonly record: JoinedIssueRecord }
)

interface Dependencies {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
}

export function createIssues({ storage, catalog, clock }: Dependencies): Issues {
  async function submit(caller: Caller, submission: IssueSubmission, submissionId: string | null) {
    const { key, project } = await requireSubmitter(caller)
    const content = normaliseSubmission(submission)
    const named = submissionId === null ? null : { id: submissionId, contentHash: hashContent(content) }
    const { kind, receipt } = await store({ project, key, content, submission: named })
    return showReceipt(receipt, content.title, kind === 'replayed')
  }

  /** Whoever submits does so by a key of a project; the key says which. */
  async function requireSubmitter(caller: Caller): Promise<{ key: KeyRecord; project: ProjectRecord }> {
    const key = caller.kind === 'key' ? caller.key : undefined
    if (key?.projectId === null) {
      throw new DomainError('insufficient-scope', {
        detail:
          'A key for all projects can not submit: the project comes from the key. Use a key of the project.',
      })
    }
    const project = key && (await catalog.findProject(key.projectId))
    requireSight(caller, endpoints.submitIssue.access, project)
    if (key === undefined || project === undefined) throw notFound()
    return { key, project }
  }

  async function store(
    report: Pick<NewReport, 'content' | 'submission'> & { project: ProjectRecord; key: KeyRecord },
  ) {
    const { project, key, content, submission } = report
    for (;;) {
      const receivedAt = clock()
      const issueId = mintId('iss', receivedAt, ordinalOf(project.id))
      const outcome = await storage.issues.submit({
        projectId: project.id,
        issueId,
        receivedAt,
        actor: key.id,
        content,
        submission,
      })
      if (outcome.kind === 'no-project') throw notFound()
      if (outcome.kind === 'conflict') {
        throw new DomainError('submission-conflict', {
          detail: 'This submission id was used before, with other content. Nothing was stored.',
        })
      }
      if (outcome.kind !== 'id-taken') return outcome
    }
  }

  async function retrieve(caller: Caller, id: string) {
    const project = isId('iss', id) ? await catalog.findProjectByOrdinal(ordinalOf(id)) : undefined
    const sight = requireSight(caller, endpoints.retrieveIssue.access, project)
    if (project === undefined || !isId('iss', id)) throw notFound()
    const issue = await storage.issues.find(project.id, id)
    if (issue === undefined || !sight.lanes.includes(laneOf(issue.category))) throw missingFor(caller)
    return { issue: showIssue(issue, sight), tag: tagOfIssue(issue, sight) }
  }

  async function list(caller: Caller, query: IssueQuery): Promise<IssuePage> {
    const { project, sight } = await requireProject(caller, query.projectId, endpoints.listIssues.access)
    const selection: IssueSelection = {
      projectId: project.id,
      lanes: sight.lanes,
      statuses: query.status === undefined ? null : [...new Set(query.status)].sort(),
    }
    const filters = [project.id, selection.statuses]
    const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
    const page = query.cursor === undefined ? (query.page ?? 1) : null
    const start = startOf(query, page, pageSize, filters)
    // One row more than is shown tells whether there is more.
    const found = await storage.issues.list(selection, start, pageSize + 1)
    const rows = found.slice(0, pageSize)
    const last = found.length > pageSize ? rows.at(-1) : undefined
    return {
      data: rows.map((issue) => showListItem(issue, sight)),
      pagination: {
        page,
        pageSize,
        hasMore: last !== undefined,
        nextCursor: last === undefined ? null : encodeCursor(filters, last.issueNumber),
        totalCount: await storage.issues.count(selection),
      },
    }
  }

  /** The project a caller asks for, or the one its key belongs to. */
  async function requireProject(
    caller: Caller,
    idOrSlug: string | undefined,
    access: Access,
  ): Promise<{ project: ProjectRecord; sight: Sight }> {
    const named = idOrSlug ?? (caller.kind === 'key' ? caller.key.projectId : undefined)
    if (named === null) {
      throw new DomainError('invalid-parameter', {
        detail: 'A key for all projects must say which one it means.',
        faults: [
          {
            parameter: 'projectId',
            code: 'required',
            detail: 'projectId must be the id or slug of a project.',
          },
        ],
      })
    }
    const project = named === undefined ? undefined : await catalog.findProject(named)
    const sight = requireSight(caller, access, project)
    if (project === undefined) throw notFound()
    return { project, sight }
  }

  return { submit, retrieve, list }
}

/** Without a credential, what is missing or hidden answers like what is private: 401. */
function missingFor(caller: Caller): DomainError {
  if (caller.kind === 'key') return notFound()
  return new DomainError('credentials-required', {
    detail: 'Send a key of the project as "Authorization: Bearer <key>".',
  })
}

function startOf(
  query: IssueQuery,
  page: number | null,
  pageSize: number,
  filters: readonly unknown[],
): ListStart {
  if (query.cursor !== undefined && query.page !== undefined) {
    throw new DomainError('invalid-parameter', {
      detail: 'page and cursor exclude each other.',
      faults: [
        { parameter: 'page', code: 'conflict', detail: 'page must be left out where cursor is given.' },
      ],
    })
  }
  if (query.cursor !== undefined) return { beforeNumber: decodeCursor(filters, query.cursor) }
  const rowsReached = (page ?? 1) * pageSize
  if (rowsReached > MAX_PAGED_ROWS) {
    throw new DomainError('page-too-deep', {
      detail: `page ${page} of ${pageSize} rows goes beyond row ${MAX_PAGED_ROWS}. Follow pagination.nextCursor instead.`,
    })
  }
  return { offset: rowsReached - pageSize }
}

function showReceipt(receipt: Receipt, title: string, isReplayed: boolean): Submitted {
  const { issueId: id, issueNumber, status, reportCount } = receipt
  const record = { id, issueNumber, title, status, createdAt: isoTime(receipt.createdAt) }
  if (reportCount === 1) return { kind: 'created', isReplayed, record }
  return { kind: 'joined', isReplayed, record: { ...record, reportCount } }
}
