import { Outlet } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { StatePanel } from '../ui/feedback/state-panel.tsx'
import { TitleContext } from '../ui/page.tsx'
import { ProjectContext } from './current-project.ts'
import { rememberProject } from './last-project.ts'

/** The pages of a project, if it exists. */
export function ProjectLayout() {
  const project = useContext(ProjectContext)
  useEffect(() => {
    if (project !== undefined) rememberProject(project)
  }, [project])
  if (project !== undefined)
    return (
      <TitleContext value={project.name}>
        <Outlet />
      </TitleContext>
    )
  return (
    <StatePanel isPage icon="project" title="Project not found">
      It does not exist, or it is not visible to you. Choose another one in the menu.
    </StatePanel>
  )
}
