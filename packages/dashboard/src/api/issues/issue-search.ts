import { endpoints, type IssueListItem } from '@bugle/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** How many issues are searched for titles, and how many are shown. */
const SEARCHED = 50
const SHOWN = 8
/** The search waits until typing pauses. */
const PAUSE_MS = 180

/** The issues of a project that match a text, or the newest ones if it is empty. */
export function issueSearchQuery(projectId: string, text: string) {
  return queryOptions({
    queryKey: ['findings', projectId, text],
    queryFn: async ({ signal }) => {
      const query = { projectId, pageSize: SEARCHED, ...(text !== '' && { q: `${text}*` }) }
      return (await client.call(endpoints.listIssues, { query, signal })).body.data
    },
  })
}

/** The text to search for, once typing pauses. */
export function useTyped(text: string): string {
  const [typed] = useDebouncedValue(text.trim(), PAUSE_MS)
  return typed
}

/** The words of a text that was typed. */
export function wordsOf(text: string): readonly string[] {
  return text.trim().toLowerCase().split(/\s+/)
}

/** Issues whose title contains all of the words come before those where only the description does. */
export function byTitle(
  issues: readonly IssueListItem[],
  words: readonly string[],
): readonly IssueListItem[] {
  const named = issues.filter(({ title }) => hasWords(title, words))
  return [...named, ...issues.filter((issue) => !named.includes(issue))].slice(0, SHOWN)
}

/** Every word, in any order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const haystack = text.toLowerCase()
  return words.every((word) => haystack.includes(word))
}
