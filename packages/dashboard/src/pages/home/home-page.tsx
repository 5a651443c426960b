import { StatePanel } from '../../ui/feedback/state-panel.tsx'

/** Where those arrive who have no project to look at. */
export function HomePage() {
  return (
    <StatePanel isPage icon="project" title="No projects yet">
      Create one on the server with <code>npx bugle project create</code>, or ask an admin for access to a
      project.
    </StatePanel>
  )
}
