import type { Project } from '@bugle/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { projectsQuery } from '../api/projects/projects.ts'
import { lastProject } from './last-project.ts'

export const ProjectContext = createContext<Project | undefined>(undefined)

/** The project of the page. Throws if there is none, so use it below `/projects/$slug`. */
export function useProject(): Project {
  const project = useContext(ProjectContext)
  if (project === undefined) throw new Error('This page does not belong to a project')
  return project
}

export function useProjects(): readonly Project[] {
  return useSuspenseQuery(projectsQuery).data
}

/** The project in the address; on other pages, the most recent one. */
export function useCurrentProject(): Project | undefined {
  const projects = useProjects()
  const { slug } = useParams({ strict: false })
  return slug === undefined ? lastProject(projects) : projects.find((project) => project.slug === slug)
}
