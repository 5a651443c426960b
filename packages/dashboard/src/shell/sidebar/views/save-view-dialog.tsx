import { MAX_VIEW_NAME_CHARS } from '@bugle/contract'
import { Button, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useCreateView } from '../../../api/people/views.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { readViewForm, ShareField } from './share-field.tsx'
import classes from './view-dialogs.module.css'

interface SaveViewDialogProps {
  readonly projectId: string
  readonly query: string
  readonly onClose: () => void
}

/** Saves the filters of the list under a name. */
export function SaveViewDialog({ projectId, query, onClose }: SaveViewDialogProps) {
  const createView = useCreateView()

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { name, isShared } = readViewForm(event.currentTarget)
    createView.mutate(
      { name, projectId, query, isShared },
      {
        onSuccess() {
          showToast({ tone: 'plain', text: `Saved as “${name}”.` })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title="Save view" onClose={onClose} size="sm">
      <form onSubmit={onSubmit} className={classes['form']}>
        <TextInput
          label="Name"
          name="name"
          description="It appears in your sidebar."
          required
          withAsterisk={false}
          maxLength={MAX_VIEW_NAME_CHARS}
          autoComplete="off"
          data-autofocus
        />
        <ShareField isShared={false} />
        <p role="alert" className={classes['error']}>
          {createView.error && explain(createView.error)}
        </p>
        <Button type="submit" loading={createView.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
