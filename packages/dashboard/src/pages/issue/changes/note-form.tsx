import { type Issue, type IssueStatus, MAX_NOTE_CHARS } from '@bugle/contract'
import { Button, Menu, Textarea } from '@mantine/core'
import type { FormEvent, RefObject } from 'react'
import { Keys } from '../../../keyboard/keys.tsx'
import { useCommands } from '../../../keyboard/use-commands.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { MOVES } from '../../../ui/words.ts'
import { movesOf } from './move-bar.tsx'
import classes from './note-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface NoteFormProps {
  readonly issue: Issue
  readonly note: string
  readonly onNote: (note: string) => void
  readonly changes: IssueChanges
  readonly onMove: (to: IssueStatus) => void
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
}

/** A note for the history, alone or with a move. */
export function NoteForm({ issue, note, onNote, changes, onMove, inputRef }: NoteFormProps) {
  const isEmpty = note.trim() === ''

  async function add(): Promise<void> {
    if (!isEmpty && (await changes.change({ note: note.trim() }, issue))) onNote('')
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void add()
  }

  useCommands([
    {
      id: 'issue.add-note',
      title: 'Add note',
      section: 'Issues',
      keys: 'mod+enter',
      isKeyOnly: true,
      run: () => void add(),
    },
  ])

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <Textarea
        ref={inputRef}
        aria-label="Note"
        placeholder="Write a note for the history…"
        maxLength={MAX_NOTE_CHARS}
        value={note}
        autosize
        minRows={2}
        maxRows={12}
        onChange={({ currentTarget }) => onNote(currentTarget.value)}
      />
      <div className={classes['buttons']}>
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button
              size="compact-md"
              variant="default"
              disabled={isEmpty || changes.isPending}
              rightSection={<Icon name="chevron" size={12} />}
            >
              Change status with note
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {movesOf(issue).map((status) => (
              <Menu.Item
                key={status}
                leftSection={<StatusIcon status={status} label={false} />}
                onClick={() => onMove(status)}
              >
                {MOVES[status].title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          type="submit"
          size="compact-md"
          disabled={isEmpty}
          loading={changes.isPending}
          rightSection={<Keys keys="mod+enter" />}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}
