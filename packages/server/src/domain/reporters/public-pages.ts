import { ISSUE_STATUSES, type IssueListItem, type IssueStatus, isFinal } from '@bugle/contract'
import type { ProjectId } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { KnownIssueRecord } from '../../model/reports/known-issues.ts'
import type { Storage } from '../../storage/storage.ts'
import { ANONYMOUS } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { notFound } from '../domain-error.ts'
import type { IssueLists } from '../issues/issue-lists.ts'
import type { Catalog } from '../projects/catalog.ts'

/** What people without an account read about a public project: what an anonymous reader of the API sees, and what the team has published. */
export interface PublicPages {
  read(slug: string, place: PublicPlace): Promise<PublicPage>
}

/** Which part of the page: both lists from their beginnings, or one of them from a cursor. */
interface PublicPlace {
  readonly knownCursor?: string | undefined
  readonly cursor?: string | undefined
}

export interface PublicPage {
  readonly project: Pick<ProjectRecord, 'name' | 'slug'>
  /** `null` on a page that continues the other list. */
  readonly known: PublicList<
    Pick<KnownIssueRecord, 'issueNumber' | 'title' | 'text' | 'status' | 'fixedIn'>
  > | null
  readonly open: PublicList<IssueListItem> | null
}

export interface PublicList<Item> {
  readonly items: readonly Item[]
  /** Where the list continues. */
  readonly nextCursor: string | null
}

const KNOWN_PER_PAGE = 20
const OPEN_PER_PAGE = 25
const UNFINISHED: IssueStatus[] = ISSUE_STATUSES.filter((status) => !isFinal(status))
/** Numbers of issues are 32-bit integers. */
const AFTER_ALL_NUMBERS = 2 ** 31 - 1

interface Dependencies {
  readonly storage: Pick<Storage, 'knownIssues'>
  readonly catalog: Catalog
  readonly issues: IssueLists
}

export function createPublicPages({ storage: { knownIssues }, catalog, issues }: Dependencies): PublicPages {
  async function listKnown(id: ProjectId, cursor: string | undefined): Promise<PublicPage['known']> {
    const list = ['known', id]
    const [before = 0] = cursor === undefined ? [AFTER_ALL_NUMBERS] : decodeCursor(list, cursor, 1)
    const limit = KNOWN_PER_PAGE + 1
    const found = await knownIssues.list(id, Math.min(Math.max(before, 0), AFTER_ALL_NUMBERS), limit)
    const items = found.slice(0, KNOWN_PER_PAGE)
    const last = found.length > items.length ? items.at(-1) : undefined
    return { items, nextCursor: last === undefined ? null : encodeCursor(list, [last.issueNumber]) }
  }

  async function listOpen(id: ProjectId, cursor: string | undefined): Promise<PublicPage['open']> {
    const place = cursor === undefined ? {} : { cursor }
    const query = { projectId: id, status: UNFINISHED, pageSize: OPEN_PER_PAGE, ...place }
    const requested = await issues.list(ANONYMOUS, query)
    const { data, pagination } = (await requested.readPage()).page
    const published = await knownIssues.find(
      id,
      data.map(({ issueNumber }) => issueNumber),
    )
    const ids = new Set<string>(published.map((known) => known.id))
    return { items: data.filter((issue) => !ids.has(issue.id)), nextCursor: pagination.nextCursor }
  }

  return {
    async read(slug, { knownCursor, cursor }) {
      const project = await catalog.findProject(slug)
      // Private projects look exactly like missing ones.
      if (project === undefined || !project.isPublic || project.slug !== slug) throw notFound()
      return {
        project,
        known: cursor === undefined ? await listKnown(project.id, knownCursor) : null,
        open: knownCursor === undefined ? await listOpen(project.id, cursor) : null,
      }
    },
  }
}
