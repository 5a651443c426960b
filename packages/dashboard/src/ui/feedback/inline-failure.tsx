import { Button } from '@mantine/core'
import { explain } from './failure.tsx'
import classes from './inline-failure.module.css'
import { useRecovery } from './server-watch.ts'

/** A small part of a page that could not be had. */
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
