import type { Project } from '@bugle/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { issueQuery } from '../api/issues.ts'
import { projectsQuery } from '../api/projects.ts'
import { lastProject } from './last-project.ts'

export const ProjectContext = createContext<Project | undefined>(undefined)

/** The project of the page. Throws where there is none, so use it below `/projects/$slug` or beside an issue. */
export function useProject(): Project {
  const project = useContext(ProjectContext)
  if (project === undefined) throw new Error('This page belongs to no project')
  return project
}

export function useProjects(): readonly Project[] {
  return useSuspenseQuery(projectsQuery).data
}

/** The project that the address names, or that the issue belongs to; elsewhere the one looked at last. */
export function useCurrentProject(): Project | undefined {
  const projects = useProjects()
  const { slug, id = '' } = useParams({ strict: false })
  const { data: issue } = useQuery({ ...issueQuery(id), enabled: id !== '' })
  if (slug !== undefined) return projects.find((project) => project.slug === slug)
  return projects.find((project) => project.id === issue?.projectId) ?? lastProject(projects)
}
