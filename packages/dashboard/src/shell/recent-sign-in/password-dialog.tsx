import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSignInAgain } from '../../api/people/account.ts'
import { sessionQuery } from '../../api/people/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { explain } from '../../ui/feedback/failure.tsx'
import classes from './password-dialog.module.css'

interface PasswordDialogProps {
  readonly onAnswered: (hasSignedIn: boolean) => void
}

export function PasswordDialog({ onAnswered }: PasswordDialogProps) {
  const { data: session } = useQuery(sessionQuery)
  const email = session?.user.email ?? ''
  const signInAgain = useSignInAgain()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    signInAgain(email, password)
      .then(() => onAnswered(true), setError)
      .finally(() => setBusy(false))
  }

  return (
    <Dialog title="Confirm your password" onClose={() => onAnswered(false)}>
      <form className={classes['form']} onSubmit={onSubmit}>
        <p>This action requires a sign-in within the last 15 minutes.</p>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
        />
        <p role="alert" className={classes['error']}>
          {error !== null && explain(error)}
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={() => onAnswered(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
