import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../../shell/current-project.ts'
import { StatePanel } from '../../../ui/feedback/state-panel.tsx'
import { formatCount } from '../../../ui/words.ts'
import { type Filters, isNarrowed } from '../filters/filters.ts'
import { countIn, type StatusCounts } from '../filters/status-counts.ts'

interface EmptyListProps {
  readonly filters: Filters
  readonly counts: StatusCounts | undefined
  readonly onClear: () => void
  /** Shows the matches in every status. */
  readonly onEveryStatus: () => void
}

/** Shown when there are no issues yet, none open, or none that match. */
export function EmptyList({ filters, counts, onClear, onEveryStatus }: EmptyListProps) {
  const { slug } = useProject()
  const total = counts === undefined ? null : countIn(counts, [])
  if (total === 0 && !isNarrowed(filters)) return <NoIssues slug={slug} />
  if (total !== null && total > 0 && isNarrowed(filters))
    return <OnlyElsewhere count={total} onShow={onEveryStatus} />
  const isCaughtUp = filters.status.join() === 'open' && !isNarrowed(filters)
  return (
    <StatePanel
      icon={isCaughtUp ? 'check' : 'search'}
      title={isCaughtUp ? 'All caught up' : 'No matching issues'}
      action={
        <Button variant="default" onClick={onClear}>
          Show all issues
        </Button>
      }
    >
      {isCaughtUp && 'There are no open issues. '}New issues appear here as they arrive.
    </StatePanel>
  )
}

function OnlyElsewhere({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <StatePanel
      icon="search"
      title="No matching issues"
      action={
        <Button variant="default" onClick={onShow}>
          {count === 1 ? 'Show it' : 'Show them'}
        </Button>
      }
    >
      {count === 1 ? '1 match in another status.' : `${formatCount(count)} matches in other statuses.`}
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
      Reports appear here as soon as an app sends them.
    </StatePanel>
  )
}
