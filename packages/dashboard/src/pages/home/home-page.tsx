import { StatePanel } from '../../ui/state-panel.tsx'

/** Where those arrive who have no project to look at. */
export function HomePage() {
  return (
    <StatePanel isPage icon="project" title="No projects yet">
      Make one with <code>npx bugle project create</code>, or ask whoever runs this server to let you see
      theirs.
    </StatePanel>
  )
}
