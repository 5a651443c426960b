import { type AttachmentPage, type CursorQuery, endpoints } from '@bugle/contract'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import { isId, projectNumberOf } from '../../model/ids.ts'
import { laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { stateOf } from '../../model/reports/attachments.ts'
import { isInline } from '../../model/reports/file-names.ts'
import type { ByteRange, FileStore } from '../../storage/files/file-store.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireSight } from '../access/access.ts'
import { pagingOf } from '../cursor-pages.ts'
import { notFound } from '../domain-error.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { Catalog } from '../projects/catalog.ts'
import { showAttachment } from './attachment-views.ts'
import { createStoredBytes, type OnDamage, type ReceivedAttachment } from './stored-bytes.ts'
import { createUploads, type UploadDependencies, type Uploads } from './uploads.ts'

/** The operations on files of reports. */
export interface Attachments extends Uploads {
  list(caller: Caller, issueId: string, query: CursorQuery): Promise<AttachmentPage>
  /** A file that was received and that the caller may see. */
  find(caller: Caller, id: string): Promise<FoundFile>
}

export interface FoundFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
  /** `null`: to be saved, not shown. */
  readonly inlineType: string | null
  /** Fails before the first chunk if the store cannot be read, or has other bytes. */
  read(range: ByteRange): Promise<AsyncIterable<Uint8Array>>
}

interface Dependencies extends UploadDependencies {
  readonly storage: Storage
  readonly store: FileStore
  readonly catalog: Catalog
  readonly finder: IssueFinder
  readonly onDamage: OnDamage
  /** Whether a stored file is damaged could not be recorded. */
  readonly onNoteFault: (error: unknown) => void
}

interface FoundAttachment {
  readonly project: ProjectRecord
  readonly attachment: ReceivedAttachment
}

/** Larger than the number of any attachment. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

export function createAttachments(dependencies: Dependencies): Attachments {
  const { storage, catalog, finder } = dependencies
  const readStored = createStoredBytes(dependencies)

  /** Missing, hidden, not received and no longer kept all look the same. */
  async function requireAttachment(caller: Caller, id: string): Promise<FoundAttachment> {
    const attachmentId = isId('att', id) ? id : undefined
    const project = attachmentId && (await catalog.findProjectByNumber(projectNumberOf(attachmentId)))
    const { lanes } = requireSight(caller, endpoints.downloadAttachment.access, project)
    if (project === undefined || attachmentId === undefined) throw notFound()
    const attachment = await storage.attachments.find(project.id, attachmentId)
    const issue = attachment && (await storage.issues.findByNumber(project.id, attachment.issueNumber))
    if (attachment === undefined || issue === undefined) throw notFound()
    const { file } = attachment
    if (!lanes.includes(laneOf(issue.category)) || file === null) throw notFound()
    if (stateOf(attachment, lastReportNumber(issue)) === 'omitted') throw notFound()
    return { project, attachment: { ...attachment, file } }
  }

  return {
    ...createUploads(dependencies),

    async list(caller, issueId, query) {
      const { access } = endpoints.listIssueAttachments
      const { issue, project } = await finder.requireIssue(caller, access, issueId)
      const paging = pagingOf(query, ['attachments', issue.id], AFTER_ALL)
      const attachments = await storage.attachments.list({
        projectId: project.id,
        issueNumber: issue.issueNumber,
        afterNumber: paging.from,
        limit: paging.pageSize + 1,
      })
      const shown = attachments.slice(0, paging.pageSize)
      return {
        data: shown.map((attachment) => showAttachment(attachment, issue)),
        pagination: paging.paginate(attachments.length, shown.at(-1)?.number, null),
      }
    },

    async find(caller, id) {
      const { project, attachment } = await requireAttachment(caller, id)
      const { name, size, sha256, contentType } = attachment
      return {
        name,
        size,
        sha256,
        inlineType: isInline(contentType) ? contentType : null,
        read: (range) => readStored({ projectId: project.id }, attachment, range),
      }
    },
  }
}
