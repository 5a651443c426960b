import {
  type Issue,
  type IssuePatch,
  MAX_APP_VERSION_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_NOTE_CHARS,
} from '@bugle/contract'
import { Button, Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './dialog-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface ResolveDialogProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  /** The note written so far. */
  readonly note: string
  readonly onResolved: () => void
  readonly onClose: () => void
}

/** Resolves an issue, and asks which release has the fix: reports from older ones do not reopen it. */
export function ResolveDialog({ issue, changes, note, onResolved, onClose }: ResolveDialogProps) {
  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const isResolved = await changes.change(readPatch(new FormData(event.currentTarget)), issue)
    if (isResolved) onResolved()
    onClose()
  }

  return (
    <Dialog title={`Resolve #${issue.issueNumber}`} onClose={onClose}>
      <form onSubmit={(event) => void onSubmit(event)} className={classes['form']}>
        <p className={classes['hint']}>
          If you enter the version that contains the fix, reports from older versions are counted but do not
          reopen the issue.
        </p>
        <div className={classes['pair']}>
          <TextInput
            label="Fixed in version"
            name="appVersion"
            placeholder="optional"
            maxLength={MAX_APP_VERSION_CHARS}
            defaultValue={issue.fixedIn?.appVersion ?? ''}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Build"
            name="buildNumber"
            placeholder="optional"
            maxLength={MAX_BUILD_NUMBER_CHARS}
            defaultValue={issue.fixedIn?.buildNumber ?? ''}
            autoComplete="off"
          />
        </div>
        <Textarea
          label="Note"
          name="note"
          placeholder="optional"
          maxLength={MAX_NOTE_CHARS}
          defaultValue={note}
          autosize
          minRows={2}
          maxRows={8}
        />
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={changes.isPending}>
            Resolve
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function readPatch(fields: FormData): IssuePatch {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const appVersion = text('appVersion')
  const buildNumber = text('buildNumber')
  const note = text('note')
  return {
    status: 'resolved',
    ...(appVersion !== '' && {
      fixedIn: { appVersion, buildNumber: buildNumber === '' ? null : buildNumber },
    }),
    ...(note !== '' && { note }),
  }
}
