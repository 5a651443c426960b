import { Outlet } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { StatePanel } from '../ui/state-panel.tsx'
import { ProjectContext } from './current-project.ts'
import { rememberProject } from './last-project.ts'

/** The pages of a project, if there is one under this address. */
export function ProjectLayout() {
  const project = useContext(ProjectContext)
  useEffect(() => {
    if (project !== undefined) rememberProject(project)
  }, [project])
  if (project !== undefined) return <Outlet />
  return (
    <StatePanel isPage icon="project" title="There is no such project">
      It does not exist, or you may not see it. Choose another one in the menu.
    </StatePanel>
  )
}
