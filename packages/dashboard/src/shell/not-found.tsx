import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatePanel } from '../ui/feedback/state-panel.tsx'
import { useTitle } from '../ui/page.tsx'

/** An address that the dashboard does not have. */
export function NotFound() {
  useTitle('Page not found')
  return (
    <main>
      <StatePanel
        isPage
        icon="search"
        title="Page not found"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the inbox
          </Button>
        }
      >
        Check the address for typing mistakes. The page may also belong to another version of Bugle.
      </StatePanel>
    </main>
  )
}
