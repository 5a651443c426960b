import { Button } from '@mantine/core'
import { type FormEvent, Fragment, type ReactNode, useState } from 'react'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { explainChange } from '../../ui/feedback/explain-change.ts'
import { Conflict } from './conflict.tsx'
import classes from './settings.module.css'

interface ChangeDialogProps {
  readonly title: string
  /** What the button says. */
  readonly action: string
  readonly isDangerous?: boolean
  /** Whether the button can be pressed. */
  readonly isReady?: boolean
  /** What the change is based on. The fields of another revision are filled again, with its values. */
  readonly revision?: string
  /** Makes the change with the fields of the form. The dialog closes afterwards, unless it returns `false`. */
  readonly onSubmit: (fields: FormData) => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with a form that changes something. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, action, isDangerous = false, isReady = true, revision, onSubmit, onClose, children } = props
  const { error, isBusy, submit, clear } = useChange(onSubmit, onClose)
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={classes['form']} onSubmit={submit}>
        <Fragment key={revision}>{children}</Fragment>
        <p role="alert" className={classes['error']}>
          {error !== null && explainChange(error)}
        </p>
        <Conflict error={error} onShown={clear} />
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={!isReady}
            className={(isDangerous && isReady && classes['danger']) || ''}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Submits a form, and keeps what went wrong. */
export function useChange(onSubmit: (fields: FormData) => Promise<unknown>, onDone: () => void) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setError(null)
    onSubmit(fields)
      .then((outcome) => {
        if (outcome !== false) onDone()
      }, setError)
      .finally(() => setBusy(false))
  }

  return { error, isBusy, submit, clear: () => setError(null) }
}
