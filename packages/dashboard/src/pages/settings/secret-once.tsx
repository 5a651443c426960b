import { Button } from '@mantine/core'
import { CopyButton } from '../../ui/clipboard/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import classes from './settings.module.css'

interface SecretOnceProps {
  readonly title: string
  /** What it is, as in "Copy the key". */
  readonly what: string
  readonly secret: string
  readonly children: string
  readonly onClose: () => void
}

/** Shows a secret that is not shown again. It is only in the memory of this page. */
export function SecretOnce({ title, what, secret, children, onClose }: SecretOnceProps) {
  return (
    <Dialog title={title} onClose={onClose} size="lg" closesOutside={false}>
      <div className={classes['form']}>
        <p>{children}</p>
        <div className={classes['secret']}>
          <code>{secret}</code>
          <CopyButton text={secret} what={what} />
        </div>
        <div className={classes['buttons']}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}
