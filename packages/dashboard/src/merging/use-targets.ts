import { type IssueListItem, type Project, SECURITY_CATEGORY } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { byTitle, hasWords, issueSearchQuery, useTyped, wordsOf } from '../api/issues/issue-search.ts'
import { issueIdQuery, issueQuery } from '../api/issues/issues.ts'
import { toListItem } from '../pages/inbox/list/list-items.ts'
import { whyNotInto } from './why-not-into.ts'

interface Targets {
  readonly found: readonly IssueListItem[]
  /** Why there are none. */
  readonly empty: string
  readonly error: unknown
  readonly retry: () => void
}

/** The server searches for the beginning of a word from this length on. */
const MIN_SEARCH_CHARS = 2

/** The issues into which these can be merged: by number or text or, before anything is typed, the newest. */
export function useTargets(project: Project, issues: readonly IssueListItem[], text: string): Targets {
  const typed = useTyped(text)
  const isShort = typed.length < MIN_SEARCH_CHARS
  const search = useQuery({
    ...issueSearchQuery(project.id, isShort ? '' : typed),
    placeholderData: (old) => old,
  })
  const issueNumber = numberIn(text)
  const idQuery = useQuery({
    ...issueIdQuery(project.slug, `${issueNumber}`),
    enabled: issueNumber !== undefined,
  })
  const { data: numbered } = useQuery({
    ...issueQuery(idQuery.data ?? ''),
    enabled: issueNumber !== undefined && idQuery.data !== undefined,
  })
  const isLate = typed !== text.trim() || search.isPlaceholderData
  const words = wordsOf(text)
  const candidates = [
    // Those that are selected first: one of them is often the one to keep.
    ...(issues.length > 1 ? issues : []).filter((issue) => matches(issue, words)),
    ...byTitle(duplicatesLast(search.data ?? []), words)
      // What was found for another text is shown only if it matches this one: Enter takes the first.
      .filter((issue) => (!isLate && !isShort) || matches(issue, words)),
  ]
  const exact = numbered?.issueNumber === issueNumber && numbered ? [toListItem(numbered)] : []
  const found = [...new Map([...exact, ...candidates].map((issue) => [issue.id, issue])).values()].filter(
    (issue) => whyNotInto(issue, issues) === undefined,
  )
  const isPending = isLate || search.isPending || (issueNumber !== undefined && idQuery.isPending)
  return {
    found,
    empty: explainEmpty({ issues, exact: exact[0], issueNumber, isPending }),
    error: search.error,
    retry: () => void search.refetch(),
  }
}

/** An issue that is not a duplicate is more likely to be meant. */
function duplicatesLast(issues: readonly IssueListItem[]): readonly IssueListItem[] {
  return issues.toSorted((a, b) => Number(a.duplicateOf !== null) - Number(b.duplicateOf !== null))
}

/** The number in `12` or `#12`. */
function numberIn(text: string): number | undefined {
  const digits = /^\s*#?\s*(\d{1,10})\s*$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function matches({ issueNumber, title }: IssueListItem, words: readonly string[]): boolean {
  return hasWords(`#${issueNumber} ${title}`, words)
}

interface Emptiness {
  readonly issues: readonly IssueListItem[]
  readonly exact: IssueListItem | undefined
  readonly issueNumber: number | undefined
  readonly isPending: boolean
}

function explainEmpty({ issues, exact, issueNumber, isPending }: Emptiness): string {
  const hidden = issues.filter(({ category }) => category === SECURITY_CATEGORY).length
  if (hidden > 0 && hidden < issues.length)
    return 'Security issues and other issues cannot be merged. Select only one kind.'
  if (exact !== undefined) return whyNotInto(exact, issues) ?? ''
  if (isPending) return 'Searching…'
  if (issueNumber !== undefined) return `#${issueNumber} does not exist, or it is not visible to you.`
  return 'No matches.'
}
