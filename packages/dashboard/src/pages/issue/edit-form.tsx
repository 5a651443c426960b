import { type Issue, type IssuePatch, MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@bugle/contract'
import { Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ConflictPanel } from './conflict-panel.tsx'
import classes from './dialog-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface EditFormProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  readonly onClose: () => void
}

/** Title and description, to be put right. It is held against the issue as it was when editing began. */
export function EditForm({ issue, changes, onClose }: EditFormProps) {
  const [before] = useState(issue)
  const [title, setTitle] = useState(before.title)
  const [description, setDescription] = useState(before.description ?? '')

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const patch = patchOf(before, title, description)
    if (Object.keys(patch).length === 0 || (await changes.change(patch, before))) onClose()
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)} className={classes['form']} aria-label="Edit the issue">
      <h1 className="visually-hidden">Edit #{issue.issueNumber}</h1>
      <TextInput
        label="Title"
        value={title}
        required
        withAsterisk={false}
        maxLength={MAX_TITLE_CHARS}
        dir="auto"
        ref={focusOnce}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Textarea
        label="Description"
        description="Plain text. The words of the reporter are replaced; that they were changed stays in the history."
        value={description}
        maxLength={MAX_DESCRIPTION_CHARS}
        dir="auto"
        autosize
        minRows={6}
        maxRows={24}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <ConflictPanel issue={issue} changes={changes} onMade={onClose} />
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={changes.isPending} disabled={title.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  )
}

function patchOf(before: Issue, title: string, description: string): IssuePatch {
  const text = description === '' ? null : description
  return {
    ...(title !== before.title && { title }),
    ...(text !== before.description && { description: text }),
  }
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
