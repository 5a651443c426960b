import { Button } from '@mantine/core'
import { explain } from './failure.tsx'
import classes from './inline-failure.module.css'
import { useRecovery } from './server-watch.ts'

/** Shown when a part of a page could not be loaded. */
export function InlineFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  useRecovery(error, onRetry)
  return (
    <div role="alert" className={classes['failure']}>
      {explain(error)}
      <Button size="compact-xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
