import { ApiProblem } from '@bugle/client'
import { Button } from '@mantine/core'
import { useSettings } from '../../api/settings.ts'

interface ConflictProps {
  readonly error: unknown
  /** Called once the new values are here. */
  readonly onShown?: () => void
}

/** After a conflict: shows the values of the other person, which a change must be based on. */
export function Conflict({ error, onShown }: ConflictProps) {
  const { refresh } = useSettings()
  if (!(error instanceof ApiProblem) || error.code !== 'revision-conflict') return null
  return (
    <Button variant="default" size="compact-sm" onClick={() => void refresh().then(onShown)}>
      Show the new values
    </Button>
  )
}
