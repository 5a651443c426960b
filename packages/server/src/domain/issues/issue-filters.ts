import { ASSIGNED_TO_ME, type IssueFilter, UNASSIGNED } from '@bugle/contract'
import type { UserId } from '../../model/ids.ts'
import type { IssueSelection } from '../../model/issue-lists.ts'
import { findLabel, type LabelRecord } from '../../model/labels.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { reporterValues } from '../../model/reports/reporters.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import { type Caller, personOf } from '../access/access.ts'
import { DomainError } from '../domain-error.ts'
import type { IssueSight } from './issue-views.ts'

interface Filtering {
  readonly caller: Caller
  readonly query: IssueFilter
  readonly project: ProjectRecord
  readonly sight: IssueSight
}

/** Which issues match the filters, of those that the caller sees. */
export function selectionOf({ project, ...filtering }: Filtering): IssueSelection {
  return { projectId: project.id, ...filtersOf(filtering) }
}

/** The same for a selection of several projects, as far as the filters do not depend on one. */
export function filtersOf({
  caller,
  query,
  sight,
}: Omit<Filtering, 'project'>): Omit<IssueSelection, 'projectId'> {
  const search = parseSearch(query.q ?? '')
  return {
    lanes: sight.lanes,
    isSpam: query.spam ?? false,
    searchesReports: sight.seesPrivateMembers,
    statuses: distinct(query.status),
    categories: distinct(query.category),
    priorities: distinct(query.priority),
    platforms: distinct(query.platform?.map((platform) => platform.toLowerCase())),
    appVersions: distinct(query.appVersion),
    branches: distinct(query.branch),
    osVersions: distinct(query.osVersion),
    deviceModels: distinct(query.deviceModel),
    buildNumbers: distinct(query.buildNumber),
    fingerprints: distinct(query.fingerprint),
    assignees: query.assignee === undefined ? null : assigneesIn(caller, query.assignee),
    labels: query.label === undefined ? null : labelsIn(sight.labels, query.label),
    reporters: query.reporter === undefined ? null : reporterValues(query.reporter),
    conversations: distinct(query.conversation),
    onDefaultBranch: query.onDefaultBranch ?? null,
    createdAfter: timeOf(query.createdAfter),
    createdBefore: timeOf(query.createdBefore),
    updatedAfter: timeOf(query.updatedAfter),
    updatedBefore: timeOf(query.updatedBefore),
    // A query without words is treated as no search.
    search: search.length === 0 ? null : search,
  }
}

/** The people that a filter names. An unknown id is not an error: it matches no issue. */
function assigneesIn(caller: Caller, words: readonly string[]): readonly (UserId | null)[] {
  const ids = words.flatMap((word) => {
    if (word === UNASSIGNED) return [null]
    if (word === ASSIGNED_TO_ME) return [requireMe(caller)]
    return [word as UserId]
  })
  return [...new Set(ids)].sort()
}

/** The labels that a filter names. A name that no label has is no error: it matches no issue. */
function labelsIn(labels: readonly LabelRecord[], names: readonly string[]): readonly number[] {
  const numbers = names.map((name) => findLabel(labels, name)?.number ?? NO_LABEL)
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** Labels are numbered from 1. */
const NO_LABEL = 0

function requireMe(caller: Caller): UserId {
  const person = personOf(caller)
  if (person !== undefined) return person.id
  throw new DomainError('invalid-parameter', {
    detail: `assignee=${ASSIGNED_TO_ME} is for people who are signed in. Pass the id of a person.`,
    faults: [
      {
        parameter: 'assignee',
        code: 'not-allowed',
        detail: `assignee can be "${ASSIGNED_TO_ME}" only for a person who is signed in.`,
      },
    ],
  })
}

/** Sorted and without duplicates: the same values in another order are the same filter. */
function distinct<T extends string>(values: readonly T[] | undefined): readonly T[] | null {
  return values === undefined ? null : [...new Set(values)].sort()
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text)
}
