import { ApiProblem } from '@bugle/client'
import { Button } from '@mantine/core'
import { useSettings } from '../../api/settings.ts'

/** After a conflict: shows the values of the other person, which a change must be based on. */
export function Conflict({ error }: { readonly error: unknown }) {
  const { refresh } = useSettings()
  if (!(error instanceof ApiProblem) || error.code !== 'revision-conflict') return null
  return (
    <Button variant="default" size="compact-sm" onClick={() => void refresh()}>
      Show the new values
    </Button>
  )
}
