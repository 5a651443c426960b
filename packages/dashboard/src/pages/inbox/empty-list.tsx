import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { statsQuery } from '../../api/projects.ts'
import { useProject } from '../../shell/current-project.ts'
import { StatePanel } from '../../ui/state-panel.tsx'
import { type Filters, isNarrowed } from './filters.ts'

interface EmptyListProps {
  readonly filters: Filters
  readonly onClear: () => void
}

/** Nothing there yet, nothing left to do, or nothing found. */
export function EmptyList({ filters, onClear }: EmptyListProps) {
  const { slug } = useProject()
  const { data: stats } = useQuery(statsQuery(slug))
  if (stats?.totals.issues === 0) return <NoIssues slug={slug} />
  const isCaughtUp = filters.status.join() === 'open' && !isNarrowed(filters)
  return (
    <StatePanel
      icon={isCaughtUp ? 'check' : 'search'}
      title={isCaughtUp ? 'All caught up' : 'No issue matches'}
      action={
        <Button variant="default" onClick={onClear}>
          Show all issues
        </Button>
      }
    >
      {isCaughtUp && 'No issue is open. '}New ones appear here as they arrive.
    </StatePanel>
  )
}

function NoIssues({ slug }: { readonly slug: string }) {
  return (
    <StatePanel
      icon="inbox"
      title="No issues yet"
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/projects/$slug/settings" params={{ slug }} {...props} />}
        >
          Connect an app
        </Button>
      }
    >
      As soon as an app reports something, it appears here.
    </StatePanel>
  )
}
