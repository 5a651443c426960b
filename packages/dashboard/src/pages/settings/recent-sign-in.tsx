import { ApiProblem } from '@bugle/client'
import { Button, PasswordInput } from '@mantine/core'
import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react'
import { useSettings } from '../../api/settings.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { explain } from '../../ui/feedback/failure.tsx'
import classes from './settings.module.css'

type Confirmed = <T>(change: () => Promise<T>) => Promise<T>

const ConfirmedContext = createContext<Confirmed>((change) => change())

/** Makes a change; if the sign-in is too old for it, asks for the password and makes it then. */
export function useConfirmed(): Confirmed {
  return useContext(ConfirmedContext)
}

interface Waiting {
  readonly proceed: () => void
  readonly cancel: () => void
}

export function RecentSignIn({ email, children }: { readonly email: string; readonly children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting>()

  const confirmed: Confirmed = (change) =>
    change().catch((error: unknown) => {
      if (!(error instanceof ApiProblem) || error.code !== 'recent-sign-in-required') throw error
      return new Promise((resolve, reject) => {
        setWaiting({
          proceed() {
            setWaiting(undefined)
            change().then(resolve, reject)
          },
          cancel() {
            setWaiting(undefined)
            reject(error)
          },
        })
      })
    })

  return (
    <ConfirmedContext value={confirmed}>
      {children}
      {waiting !== undefined && (
        <PasswordDialog email={email} onDone={waiting.proceed} onClose={waiting.cancel} />
      )}
    </ConfirmedContext>
  )
}

interface PasswordDialogProps {
  readonly email: string
  readonly onDone: () => void
  readonly onClose: () => void
}

function PasswordDialog({ email, onDone, onClose }: PasswordDialogProps) {
  const { signInAgain } = useSettings()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    signInAgain(email, password)
      .then(onDone, setError)
      .finally(() => setBusy(false))
  }

  return (
    <Dialog title="Confirm your password" onClose={onClose}>
      <form className={classes['form']} onSubmit={onSubmit}>
        <p>This change needs a sign-in within the last 15 minutes.</p>
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
          <Button variant="default" onClick={onClose}>
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
