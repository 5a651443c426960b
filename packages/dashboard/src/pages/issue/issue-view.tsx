import type { Issue, IssueStatus } from '@bugle/contract'
import { useRef, useState } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { useMay } from '../../api/session.ts'
import { holdKeys } from '../../ui/hold-keys.ts'
import { ConflictPanel } from './changes/conflict-panel.tsx'
import { DeleteDialog } from './changes/delete-dialog.tsx'
import { DraftNotice } from './changes/draft-notice.tsx'
import { useEditDraft } from './changes/edit-draft.ts'
import { EditForm } from './changes/edit-form.tsx'
import { MoveBar } from './changes/move-bar.tsx'
import { NoteForm } from './changes/note-form.tsx'
import { ResolveDialog } from './changes/resolve-dialog.tsx'
import { useIssueChanges } from './changes/use-issue-changes.ts'
import { Description } from './description.tsx'
import { History } from './history/history.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { IssueHead } from './issue-head.tsx'
import { IssueTitle } from './issue-title.tsx'
import classes from './issue-view.module.css'
import { Regression } from './regression.tsx'
import { useIssueCommands } from './use-issue-commands.ts'
import { useNeighbours } from './use-neighbours.ts'
import { WhereItHappened } from './where-it-happened.tsx'

/** Everything about an issue, laid out for reading, and what can be done with it. */
export function IssueView({ issue }: { readonly issue: Issue }) {
  const mayTriage = useMay('issues:triage')
  const mayDelete = useMay('issues:delete')
  const neighbours = useNeighbours(issue)
  const changes = useIssueChanges(issue.id)
  const [open, setOpen] = useState<'edit' | 'resolve' | 'delete'>()
  const [note = '', keepNote] = useDraft(`note:${issue.id}`)
  const [editDraft, keepEditDraft] = useEditDraft(issue.id)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const close = () => setOpen(undefined)

  function setNote(text: string): void {
    keepNote(text === '' ? undefined : text)
  }

  function openDialog(dialog: 'resolve' | 'delete'): void {
    holdKeys(close)
    setOpen(dialog)
  }

  async function move(to: IssueStatus): Promise<void> {
    if (to === 'resolved') return openDialog('resolve')
    const text = note.trim()
    const isMade = await changes.change({ status: to, ...(text !== '' && { note: text }) }, issue)
    if (isMade) setNote('')
  }

  const actions = {
    mayTriage,
    mayDelete,
    neighbours,
    onMove: (to: IssueStatus) => void move(to),
    onEdit: () => setOpen('edit'),
    onDelete: () => openDialog('delete'),
    onNote: () => noteRef.current?.focus(),
  }
  useIssueCommands(issue, actions)

  return (
    <div className={classes['page']}>
      <IssueHead issue={issue} {...actions} />
      <div className={classes['columns']}>
        <article className={classes['main']}>
          {open === 'edit' ? (
            <EditForm
              issue={issue}
              changes={changes}
              draft={editDraft}
              onDraft={keepEditDraft}
              onClose={close}
            />
          ) : (
            <>
              {mayTriage && editDraft !== undefined && (
                <DraftNotice onContinue={actions.onEdit} onDiscard={() => keepEditDraft(undefined)} />
              )}
              <IssueTitle issue={issue} changes={changes} mayTriage={mayTriage} />
              {mayTriage && <MoveBar issue={issue} isPending={changes.isPending} onMove={actions.onMove} />}
              <ConflictPanel issue={issue} changes={changes} />
              <Regression issue={issue} />
              <Description text={issue.description} />
            </>
          )}
          <WhereItHappened issue={issue} />
          <History issue={issue}>
            {mayTriage && (
              <NoteForm
                issue={issue}
                note={note}
                onNote={setNote}
                changes={changes}
                onMove={actions.onMove}
                inputRef={noteRef}
              />
            )}
          </History>
        </article>
        <IssueFacts issue={issue} />
      </div>
      {open === 'resolve' && (
        <ResolveDialog
          issue={issue}
          changes={changes}
          note={note}
          onResolved={() => setNote('')}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteDialog issue={issue} neighbours={neighbours} onClose={close} />}
    </div>
  )
}
