import { type Issue, type IssueStatus, MAX_NOTE_CHARS, SECURITY_CATEGORY } from '@bugle/contract'
import { Suspense, useRef, useState } from 'react'
import type { ReplyTo } from '../../api/issues/comments.ts'
import { useMay, useMe } from '../../api/people/session.ts'
import { lazyPart } from '../../shell/lazy-part.ts'
import { holdKeys } from '../../ui/hold-keys.ts'
import { toListItem } from '../inbox/list/list-items.ts'
import { ConflictPanel } from './changes/conflict-panel.tsx'
import { DeleteDialog } from './changes/delete-dialog.tsx'
import { DraftNotice } from './changes/draft-notice.tsx'
import { useEditDraft } from './changes/edit-draft.ts'
import { EditForm } from './changes/edit-form.tsx'
import { MoveBar } from './changes/move-bar.tsx'
import { type ReplyDraft, ResolveDialog } from './changes/resolve-dialog.tsx'
import { useIssueChanges } from './changes/use-issue-changes.ts'
import { EMPTY_DRAFT, useCommentDraft } from './comments/comment-draft.ts'
import { CommentForm } from './comments/comment-form.tsx'
import { hasReaders } from './conversation/reporters.ts'
import { useReporters } from './conversation/use-reporters.ts'
import { DuplicateBanner } from './duplicates/duplicate-banner.tsx'
import { Duplicates } from './duplicates/duplicates.tsx'
import { CrashDescription } from './exception/crash-description.tsx'
import { Files } from './files/files.tsx'
import { History } from './history/history.tsx'
import { IssueFacts } from './issue-facts.tsx'
import { IssueHead } from './issue-head.tsx'
import { IssueTitle } from './issue-title.tsx'
import classes from './issue-view.module.css'
import { Regression } from './regression.tsx'
import { Reports } from './reports/reports.tsx'
import { WhereItHappened } from './reports/where-it-happened.tsx'
import { type IssueDialog, useIssueCommands } from './use-issue-commands.ts'
import { useNeighbours } from './use-neighbours.ts'

const AssigneeDialog = lazyPart(() => import('../../picks/assignee-dialog.tsx'), 'AssigneeDialog')

const MergeDialog = lazyPart(() => import('../../merging/merge-dialog.tsx'), 'MergeDialog')

const LabelsDialog = lazyPart(() => import('../../picks/labels-dialog.tsx'), 'LabelsDialog')

const SpamDialog = lazyPart(() => import('./changes/spam-dialog.tsx'), 'SpamDialog')

const BlockDialog = lazyPart(() => import('./conversation/block-dialog.tsx'), 'BlockDialog')

const PublishDialog = lazyPart(() => import('./known/publish-dialog.tsx'), 'PublishDialog')

const KnownCard = lazyPart(() => import('./known/known-card.tsx'), 'KnownCard')

const SpamNotice = lazyPart(() => import('./changes/spam-notice.tsx'), 'SpamNotice')

/** Everything about an issue, with its actions. */
export function IssueView({ issue }: { readonly issue: Issue }) {
  const mayTriage = useMay('issues:triage')
  const mayDelete = useMay('issues:delete')
  const neighbours = useNeighbours(issue)
  const changes = useIssueChanges(issue.id)
  const me = useMe()
  const reporters = useReporters(issue)
  const onlyReporter = reporters.known.length === 1 ? reporters.known[0] : undefined
  const [open, setOpen] = useState<'edit' | IssueDialog>()
  // The issue as it was when a dialog was opened.
  const [asked, setAsked] = useState(issue)
  const [draft, keepDraft] = useCommentDraft(issue.id)
  const [editDraft, keepEditDraft] = useEditDraft(issue.id)
  const [reply, setReply] = useState<ReplyDraft>()
  const commentRef = useRef<HTMLTextAreaElement>(null)
  const close = () => setOpen(undefined)
  const written = draft.text.trim()
  const { replyTo } = draft
  // A status change takes along what is being written for the team, unless it is too long for a note. It takes along
  // a reply only if the person asks for that.
  const note = replyTo !== null || written.length > MAX_NOTE_CHARS ? '' : written

  function ask(dialog: IssueDialog): void {
    holdKeys(close)
    setAsked(issue)
    setOpen(dialog)
  }

  /** If someone has changed these fields while a dialog was open, the earlier issue, so that the change is refused. */
  function knownFor(...fields: readonly (keyof Issue)[]): Issue {
    return fields.every((field) => isEqual(asked[field], issue[field])) ? issue : asked
  }

  async function move(to: IssueStatus): Promise<void> {
    setReply(undefined)
    if (to === 'resolved') return ask('resolve')
    const isMade = await changes.change({ status: to, ...(note !== '' && { note }) }, issue)
    if (isMade && note !== '') keepDraft(EMPTY_DRAFT)
  }

  async function moveWithReply(to: IssueStatus, { reportId }: ReplyTo): Promise<void> {
    if (to === 'resolved') {
      setReply({ text: written, replyTo: { reportId } })
      return ask('resolve')
    }
    const { commentId = crypto.randomUUID() } = draft
    keepDraft({ ...draft, commentId })
    const isMade = await changes.change({ status: to, reply: { commentId, text: written, reportId } }, issue)
    if (isMade) keepDraft(EMPTY_DRAFT)
  }

  /** Starts a reply, with what has been written so far. */
  function replyToReporters(to: ReplyTo): void {
    keepDraft({ text: draft.text, replyTo: to })
    // After a menu that was used for it has closed.
    setTimeout(() => commentRef.current?.focus())
  }

  /** What was sent after all is no longer a draft. */
  function forgetSent(): void {
    const sent = changes.conflict?.patch.reply?.commentId
    if (sent !== undefined && sent === draft.commentId) keepDraft(EMPTY_DRAFT)
  }

  function assign(assigneeId: string | null, known: Issue): void {
    if (assigneeId !== issue.assigneeId) void changes.change({ assigneeId }, known)
  }

  function label(added: readonly string[], removed: readonly string[]): void {
    const kept = (issue.labels ?? []).filter((name) => !removed.includes(name))
    void changes.change({ labels: [...kept, ...added] }, issue)
  }

  const actions = {
    mayTriage,
    mayDelete,
    neighbours,
    onMove: (to: IssueStatus) => void move(to),
    onEdit: () => setOpen('edit'),
    onAsk: ask,
    onComment: () => commentRef.current?.focus(),
    onReply: hasReaders(reporters) ? () => replyToReporters({ reportId: null }) : undefined,
    onlyReporter,
    onAssignToMe: () => me !== undefined && assign(me, issue),
  }
  useIssueCommands(issue, actions)

  return (
    <div className={classes['page']}>
      <IssueHead issue={issue} {...actions} />
      <div className={classes['columns']}>
        <article className={classes['main']}>
          {issue.spamAt !== null && (
            <Suspense>
              <SpamNotice issue={issue} spamAt={issue.spamAt} mayTriage={mayTriage} />
            </Suspense>
          )}
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
              <IssueTitle issue={issue} changes={changes} mayTriage={mayTriage} onAsk={ask} />
              <DuplicateBanner issue={issue} mayTriage={mayTriage} />
              {mayTriage && <MoveBar issue={issue} isPending={changes.isPending} onMove={actions.onMove} />}
              <ConflictPanel issue={issue} changes={changes} onMade={forgetSent} />
              <Regression issue={issue} />
              {issue.known && (
                <Suspense>
                  <KnownCard
                    issue={issue}
                    known={issue.known}
                    changes={changes}
                    mayTriage={mayTriage}
                    onEdit={() => ask('publish')}
                  />
                </Suspense>
              )}
              <CrashDescription issue={issue} />
            </>
          )}
          <Files issueId={issue.id} />
          <Duplicates issue={issue} mayTriage={mayTriage} />
          <Reports issue={issue} mayTriage={mayTriage} mayDelete={mayDelete} onReply={replyToReporters} />
          <WhereItHappened issue={issue} />
          <History issue={issue} mayComment={mayTriage} onReply={replyToReporters}>
            {mayTriage && (
              <CommentForm
                issue={issue}
                draft={draft}
                onDraft={keepDraft}
                onMove={(to) => void (replyTo === null ? move(to) : moveWithReply(to, replyTo))}
                isChanging={changes.isPending}
                inputRef={commentRef}
              />
            )}
          </History>
        </article>
        <IssueFacts issue={issue} />
      </div>
      {open === 'resolve' && (
        <ResolveDialog
          issue={knownFor('status', 'fixedIn')}
          current={issue}
          changes={changes}
          note={note}
          reply={reply ?? NO_REPLY}
          onResolved={() => (note !== '' || reply !== undefined) && keepDraft(EMPTY_DRAFT)}
          onClose={close}
        />
      )}
      {open === 'assign' && (
        <Suspense>
          <AssigneeDialog
            chosen={issue.assigneeId}
            isHidden={issue.category === SECURITY_CATEGORY}
            onChoose={(id) => assign(id, knownFor('assigneeId'))}
            onClose={close}
          />
        </Suspense>
      )}
      {open === 'label' && (
        <Suspense>
          <LabelsDialog chosen={issue.labels ?? []} onChange={label} onClose={close} />
        </Suspense>
      )}
      {open === 'merge' && (
        <Suspense>
          <MergeDialog issues={[toListItem(knownFor('duplicateOf'))]} onClose={close} />
        </Suspense>
      )}
      {open === 'publish' && (
        <Suspense>
          <PublishDialog issue={knownFor('known')} current={issue} changes={changes} onClose={close} />
        </Suspense>
      )}
      {open === 'spam' && (
        <Suspense>
          <SpamDialog issue={issue} onClose={close} />
        </Suspense>
      )}
      {open === 'block' && onlyReporter !== undefined && (
        <Suspense>
          <BlockDialog
            issue={issue}
            report={{ ...onlyReporter, id: onlyReporter.reportId, issueId: issue.id }}
            isBlocked={onlyReporter.isBlocked}
            onClose={close}
          />
        </Suspense>
      )}
      {open === 'delete' && <DeleteDialog issue={issue} neighbours={neighbours} onClose={close} />}
    </div>
  )
}

const NO_REPLY: ReplyDraft = { text: '', replyTo: { reportId: null } }

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
