import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Failure } from '../ui/feedback/failure.tsx'

/** A page that failed while it was loaded or drawn. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <Failure error={error} onRetry={retry} isPage />
}

/** The same, where there is nothing around it. */
export function RootFailure(props: ErrorComponentProps) {
  return (
    <main>
      <PageFailure {...props} />
    </main>
  )
}
