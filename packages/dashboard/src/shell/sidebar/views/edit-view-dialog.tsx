import { MAX_VIEW_NAME_CHARS, type View } from '@bugle/contract'
import { Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useChangeView } from '../../../api/people/views.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { readViewForm, ShareField } from './share-field.tsx'
import classes from './view-dialogs.module.css'

interface EditViewDialogProps {
  readonly view: View
  readonly onClose: () => void
}

/** Renames a view of the person, shares it or stops sharing it. */
export function EditViewDialog({ view, onClose }: EditViewDialogProps) {
  const change = useChangeView(view.id)

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { name, isShared } = readViewForm(event.currentTarget)
    change.mutate(
      { name, isShared },
      {
        onSuccess() {
          showToast({ tone: 'plain', text: `“${name}” was saved.` })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title="Edit view" onClose={onClose} size="sm">
      <form onSubmit={onSubmit} className={classes['form']}>
        <TextInput
          label="Name"
          name="name"
          defaultValue={view.name}
          required
          withAsterisk={false}
          maxLength={MAX_VIEW_NAME_CHARS}
          autoComplete="off"
          data-autofocus
        />
        <ShareField isShared={view.isShared} />
        <p role="alert" className={classes['error']}>
          {change.error && explain(change.error)}
        </p>
        <Button type="submit" loading={change.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
