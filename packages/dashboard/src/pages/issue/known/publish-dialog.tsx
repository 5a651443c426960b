import { type Issue, type IssuePatch, MAX_KNOWN_TEXT_CHARS, MAX_KNOWN_TITLE_CHARS } from '@bugle/contract'
import { Textarea, TextInput } from '@mantine/core'
import type { FormEvent, KeyboardEvent } from 'react'
import { useDraft } from '../../../api/issues/drafts.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { useProject } from '../../../shell/current-project.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { ConflictPanel } from '../changes/conflict-panel.tsx'
import form from '../changes/dialog-form.module.css'
import type { IssueChanges } from '../changes/use-issue-changes.ts'
import classes from './known.module.css'
import { KnownPreview } from './known-preview.tsx'

interface PublishDialogProps {
  readonly issue: Issue
  /** The issue as it is now; `issue` may be how the person saw it. */
  readonly current: Issue
  readonly changes: IssueChanges
  readonly onClose: () => void
}

type Known = NonNullable<Issue['known']>

/** Publishes an issue as a known issue, or changes what is published. Closing it keeps what was written; only Cancel discards it. */
export function PublishDialog({ issue, current, changes, onClose }: PublishDialogProps) {
  const { isPublic } = useProject()
  const [draft, keepDraft] = useDraft(`known:${issue.id}`)
  const before = issue.known ?? { title: issue.title.slice(0, MAX_KNOWN_TITLE_CHARS), text: '' }
  const written: Known = draft === undefined ? before : (JSON.parse(draft) as Known)
  const title = written.title.trim()
  const isPublished = issue.known !== null

  function write(part: Partial<Known>): void {
    const next = { ...written, ...part }
    keepDraft(next.title === before.title && next.text === before.text ? undefined : JSON.stringify(next))
  }

  function finish(): void {
    keepDraft(undefined)
    onClose()
  }

  async function save(): Promise<void> {
    if (title === '' || changes.isPending) return
    const patch: IssuePatch = { known: { title, text: written.text.trim() } }
    if (await changes.change(patch, issue)) finish()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void save()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }

  return (
    <Dialog
      title={isPublished ? `Edit the known issue #${issue.issueNumber}` : `Publish #${issue.issueNumber}`}
      size={560}
      onClose={onClose}
    >
      <form onSubmit={onSubmit} onKeyDown={onKeyDown} className={form['form']}>
        <p className={form['hint']}>
          People who are about to report the same problem see this in your app, and can add their report to it
          with one click.{isPublic && ' It is also on the public page of the project.'}
        </p>
        <TextInput
          label="Title"
          value={written.title}
          required
          withAsterisk={false}
          maxLength={MAX_KNOWN_TITLE_CHARS}
          dir="auto"
          data-autofocus
          onChange={({ currentTarget }) => write({ title: currentTarget.value })}
        />
        <Textarea
          label="Text"
          description="What people can do until it is fixed. Plain text."
          placeholder="optional"
          value={written.text}
          maxLength={MAX_KNOWN_TEXT_CHARS}
          dir="auto"
          autosize
          minRows={3}
          maxRows={10}
          onChange={({ currentTarget }) => write({ text: currentTarget.value })}
        />
        <section className={classes['card']} aria-label="Preview">
          <div className={classes['head']}>
            <h2>What people see</h2>
          </div>
          <KnownPreview issue={current} title={title} text={written.text.trim()} />
          <p className={classes['caption']}>The status and the version of the fix follow the issue.</p>
        </section>
        <ConflictPanel issue={current} changes={changes} onMade={finish} />
        <DialogButtons
          action={isPublished ? 'Save' : 'Publish'}
          onCancel={finish}
          isPending={changes.isPending}
          isReady={title !== ''}
          keys={<Keys keys="mod+enter" />}
        />
      </form>
    </Dialog>
  )
}
