import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Failure } from '../ui/feedback/failure.tsx'

/** Shown when a page failed to load or render. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <Failure error={error} onRetry={retry} isPage />
}

/** The same, without the shell around it. */
export function RootFailure(props: ErrorComponentProps) {
  return (
    <main>
      <PageFailure {...props} />
    </main>
  )
}
