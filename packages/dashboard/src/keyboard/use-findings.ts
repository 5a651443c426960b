import type { Project } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useContext } from 'react'
import { byTitle, hasWords, issueSearchQuery, useTyped, wordsOf } from '../api/issues/issue-search.ts'
import { issueIdQuery, issueQuery } from '../api/issues/issues.ts'
import { GUIDE_LINKS } from '../guides.ts'
import { ProjectContext } from '../shell/current-project.ts'
import { issueAddress } from '../shell/issue-address.ts'
import { readIssueNumber, useOpenIssue } from '../shell/use-open-issue.ts'
import { listCommands } from './registry.ts'

/** An entry of the palette. */
export interface Finding {
  readonly id: string
  readonly title: string
  readonly section: string
  readonly keys?: string | undefined
  readonly run: () => void
}

/** What matches the input: the issue with this number, commands and projects, issues and guides. */
export function useFindings(text: string): readonly Finding[] {
  const project = useContext(ProjectContext)
  const words = wordsOf(text)
  const issues = useIssues(text, words, project)
  const commands = listCommands().filter(({ isKeyOnly }) => isKeyOnly !== true)
  const matching = commands.filter(({ title, section, words: more = '' }) =>
    hasWords(`${section} ${title} ${more}`, words),
  )
  if (text.trim() === '') return matching
  const guides = GUIDE_LINKS.filter(({ title, group }) => hasWords(`documentation ${group} ${title}`, words))
  return [
    ...matching,
    ...issues,
    ...guides.map(({ path, title }) => ({
      id: `guide.${path}`,
      title,
      section: 'Documentation',
      run: () => location.assign(path),
    })),
  ]
}

function useIssues(text: string, words: readonly string[], project: Project | undefined): readonly Finding[] {
  const navigate = useNavigate()
  const numbered = useNumbered(text, project)
  const typed = useTyped(text)
  const { data: found = [] } = useQuery({
    ...issueSearchQuery(project?.id ?? '', typed),
    enabled: project !== undefined && typed.length > 1 && readIssueNumber(typed) === undefined,
    placeholderData: (old) => old,
  })
  if (project === undefined) return []
  if (numbered !== undefined) return numbered
  return byTitle(found, words).map((issue) => ({
    id: issue.id,
    title: `#${issue.issueNumber} ${issue.title}`,
    section: 'Issue',
    run: () => void navigate(issueAddress(project.slug, issue)),
  }))
}

/** The issue with the number that was typed, with its title as soon as it is loaded. */
function useNumbered(text: string, project: Project | undefined): readonly Finding[] | undefined {
  const issueNumber = readIssueNumber(text)
  const isAsked = issueNumber !== undefined && project !== undefined
  const idQuery = issueIdQuery(project?.slug ?? '', `${issueNumber}`)
  const { data: id, error } = useQuery({ ...idQuery, enabled: isAsked })
  const { data: issue } = useQuery({ ...issueQuery(id ?? ''), enabled: id !== undefined })
  const open = useOpenIssue(project)
  if (!isAsked) return undefined
  if (error !== null) return []
  const title = `Open #${issueNumber}${issue === undefined ? '' : ` ${issue.title}`}`
  return [{ id: 'issue.number', title, section: 'Issue', run: () => void open(issueNumber) }]
}
