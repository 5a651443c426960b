import {
  endpoints,
  type KnownIssue,
  type KnownIssueList,
  type KnownIssueSearch,
  MAX_KNOWN_MATCHES,
} from '@bugle/contract'
import { compareVersions } from '../../model/decisions/compare-versions.ts'
import type { KnownIssueRecord } from '../../model/reports/known-issues.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { requireKeyOfProject } from '../access/submitters.ts'
import type { Catalog } from '../projects/catalog.ts'

/** What the team has published, for people who are about to report a problem. */
export interface KnownIssues {
  search(caller: Caller, search: KnownIssueSearch): Promise<KnownIssueList>
}

interface Dependencies {
  readonly storage: Pick<Storage, 'knownIssues'>
  readonly catalog: Catalog
}

export function createKnownIssues({ storage, catalog }: Dependencies): KnownIssues {
  return {
    async search(caller, { title, appVersion }) {
      const { project } = await requireKeyOfProject(caller, endpoints.searchKnownIssues.access, catalog)
      const found = await storage.knownIssues.search(project.id, title, MAX_KNOWN_MATCHES)
      return { data: found.map((issue) => showKnownIssue(issue, appVersion || null)) }
    },
  }
}

function showKnownIssue(issue: KnownIssueRecord, appVersion: string | null): KnownIssue {
  const { id, title, text, status, fixedIn } = issue
  const isComparable = fixedIn !== null && appVersion !== null
  return {
    id,
    title,
    text,
    status,
    fixedIn,
    hasFix: isComparable ? compareVersions(appVersion, fixedIn.appVersion) >= 0 : null,
  }
}
