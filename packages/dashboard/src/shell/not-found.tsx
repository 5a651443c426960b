import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatePanel } from '../ui/state-panel.tsx'

/** An address that the dashboard does not have. */
export function NotFound() {
  return (
    <main>
      <StatePanel
        isPage
        icon="search"
        title="There is no such page"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the inbox
          </Button>
        }
      >
        The address may be mistyped, or of another version of Bugle.
      </StatePanel>
    </main>
  )
}
