import { StatePanel } from '../../ui/feedback/state-panel.tsx'

/** The page for people without a project. */
export function HomePage() {
  return (
    <StatePanel isPage icon="project" title="No projects yet">
      Create one in the settings or with <code>npx bugle project create</code>, or ask an admin for access to
      a project.
    </StatePanel>
  )
}
