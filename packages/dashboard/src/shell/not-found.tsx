import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { StatePanel } from '../ui/feedback/state-panel.tsx'
import { useTitle } from '../ui/page.tsx'

/** The page for an unknown address. */
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
            Go to inbox
          </Button>
        }
      >
        Check the address for typos. The page may also belong to another version of Bugle.
      </StatePanel>
    </main>
  )
}
