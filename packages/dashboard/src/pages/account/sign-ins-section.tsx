import type { SignIn } from '@bugle/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { signInsQuery, useEndSignIn } from '../../api/people/account.ts'
import { useSignOutEverywhere } from '../../api/people/use-sign-out.ts'
import { explain, Failure } from '../../ui/feedback/failure.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './account-page.module.css'
import { nameBrowser } from './name-browser.ts'

/** The person's sessions, which can be ended one by one or all at once. */
export function SignInsSection() {
  const { data: signIns, error, refetch } = useQuery(signInsQuery)
  const signOutEverywhere = useSignOutEverywhere()
  const tell = (failure: unknown) => showToast({ tone: 'danger', text: explain(failure) })
  return (
    <section className={classes['section']} aria-labelledby="account-sign-ins">
      <h2 id="account-sign-ins">Sessions</h2>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && signIns === undefined && <Skeleton height={96} />}
      <ul className={classes['list']}>
        {signIns?.map((signIn) => (
          <SignInRow key={signIn.id} signIn={signIn} />
        ))}
      </ul>
      <Button
        variant="default"
        className={classes['submit'] ?? ''}
        onClick={() => void signOutEverywhere().catch(tell)}
      >
        Sign out everywhere
      </Button>
    </section>
  )
}

function SignInRow({ signIn: { id, userAgent, lastSeenAt, isCurrent } }: { readonly signIn: SignIn }) {
  const endSignIn = useEndSignIn()
  const name = nameBrowser(userAgent)
  return (
    <li className={classes['row']}>
      <span className={classes['browser']}>
        {name}
        {isCurrent ? (
          <span className={classes['current']}>This browser</span>
        ) : (
          <span className={classes['hint']}>
            last seen <Ago at={lastSeenAt} />
          </span>
        )}
      </span>
      {!isCurrent && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Sign out of ${name}`}
          loading={endSignIn.isPending}
          onClick={() => endSignIn.mutate(id)}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
