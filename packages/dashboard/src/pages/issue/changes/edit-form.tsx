import { type Issue, type IssuePatch, MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from '@bugle/contract'
import { Button, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Keys } from '../../../keyboard/keys.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import classes from './dialog-form.module.css'
import type { EditDraft } from './edit-draft.ts'
import type { IssueChanges } from './use-issue-changes.ts'

interface EditFormProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  /** The text written before the form was left. */
  readonly draft: EditDraft | undefined
  readonly onDraft: (draft: EditDraft | undefined) => void
  readonly onClose: () => void
}

/** Edits title and description. Saving compares with the issue as it was when editing started. */
export function EditForm({ issue, changes, draft, onDraft, onClose }: EditFormProps) {
  const [before] = useState<Issue>({ ...issue, ...draft?.before })
  const { title, description } = draft ?? { title: before.title, description: before.description ?? '' }

  function write(text: Partial<Pick<EditDraft, 'title' | 'description'>>): void {
    const { version } = before
    const next = { title, description, ...text }
    const isChanged = Object.keys(patchOf(before, next.title, next.description)).length > 0
    const known = { title: before.title, description: before.description, version }
    onDraft(isChanged ? { before: known, ...next } : undefined)
  }

  function finish(): void {
    onDraft(undefined)
    onClose()
  }

  async function save(): Promise<void> {
    const patch = patchOf(before, title, description)
    if (title.trim() === '' || changes.isPending) return
    if (Object.keys(patch).length === 0 || (await changes.change(patch, before))) finish()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void save()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    // Escape keeps the draft, which is offered again.
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else return
    event.preventDefault()
  }

  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} className={classes['form']} aria-label="Edit issue">
      <h1 className="visually-hidden">Edit #{issue.issueNumber}</h1>
      <TextInput
        label="Title"
        value={title}
        required
        withAsterisk={false}
        maxLength={MAX_TITLE_CHARS}
        dir="auto"
        ref={focusOnce}
        onChange={({ currentTarget }) => write({ title: currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="Plain text. The history records the change. The texts of reports do not change; to remove one, redact or delete the report."
        value={description}
        maxLength={MAX_DESCRIPTION_CHARS}
        dir="auto"
        autosize
        minRows={6}
        maxRows={24}
        onChange={({ currentTarget }) => write({ description: currentTarget.value })}
      />
      <ConflictPanel issue={issue} changes={changes} onMade={finish} />
      <div className={classes['buttons']}>
        <Button variant="default" onClick={finish}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={changes.isPending}
          disabled={title.trim() === ''}
          rightSection={<Keys keys="mod+enter" />}
        >
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
