import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Brand } from '../../shell/sidebar/brand.tsx'
import { useTitle } from '../../ui/page.tsx'
import { LinkForm } from './link-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SetupHint } from './setup-hint.tsx'
import classes from './sign-in-page.module.css'
import { forgetLinkToken, takeLinkToken } from './take-link-token.ts'

/** Sign-in with a password, or with a one-time link. */
export function SignInPage() {
  useTitle('Sign in')
  const { from = '/' } = useSearch({ strict: false }) as { from?: string }
  const [token, setToken] = useState(takeLinkToken)

  function leaveLink(): void {
    forgetLinkToken()
    setToken(undefined)
  }

  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <Brand />
        {token === undefined ? (
          <>
            <SetupHint />
            <PasswordForm from={from} />
          </>
        ) : (
          <LinkForm token={token} onLeave={leaveLink} />
        )}
      </div>
    </main>
  )
}
