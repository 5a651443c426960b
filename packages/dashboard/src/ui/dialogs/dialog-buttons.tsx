import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { explain } from '../feedback/failure.tsx'
import classes from './dialog-buttons.module.css'

interface DialogButtonsProps {
  /** What the button says. */
  readonly action: ReactNode
  /** Called by the button; without it, the button submits the form. */
  readonly onAction?: () => void
  readonly onCancel: () => void
  readonly isPending: boolean
  /** Whether the button can be pressed, as it can by default. */
  readonly isReady?: boolean
  readonly isDangerous?: boolean
  /** The button that has the focus when the dialog opens. By default it is in one of the fields. */
  readonly focused?: 'action' | 'cancel'
  /** Why the action failed, or `null`. Without it there is no line for errors. */
  readonly error?: Error | null
  /** Shown in the button, after its text. */
  readonly keys?: ReactNode
  readonly className?: string | undefined
}

/** The end of a dialog: what went wrong, Cancel, and the button that does what the dialog is for. */
export function DialogButtons(props: DialogButtonsProps) {
  const { action, onAction, onCancel, isPending, isReady = true, isDangerous = false } = props
  const { focused, error, keys, className = '' } = props
  return (
    <>
      {error !== undefined && (
        <p role="alert" className={classes['error']}>
          {error && explain(error)}
        </p>
      )}
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onCancel} data-autofocus={focused === 'cancel' || undefined}>
          Cancel
        </Button>
        <Button
          type={onAction ? 'button' : 'submit'}
          loading={isPending}
          disabled={!isReady}
          rightSection={keys}
          className={(isDangerous && classes['danger']) || className}
          data-autofocus={focused === 'action' || undefined}
          {...(onAction && { onClick: onAction })}
        >
          {action}
        </Button>
      </div>
    </>
  )
}
