import {
  CATEGORIES,
  type Category,
  DEFAULT_CATEGORY,
  DEFAULT_PRIORITY,
  MAX_ATTACHMENTS,
  MAX_DESCRIPTION_CHARS,
  MAX_TITLE_CHARS,
  PRIORITIES,
  type Priority,
  SECURITY_CATEGORY,
} from '@bugle/contract'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useDraft } from '../../api/issues/drafts.ts'
import { useMay } from '../../api/people/session.ts'
import { AttachButton } from '../../files/attach-button.tsx'
import { ChosenFiles, removable } from '../../files/chosen-files.tsx'
import { type ChosenFile, chooseFile } from '../../files/prepared-files.ts'
import { usePreparedFiles } from '../../files/use-prepared-files.ts'
import { Keys } from '../../keyboard/keys.tsx'
import { useProject } from '../../shell/current-project.ts'
import { INBOX_SEARCH } from '../../shell/inbox-address.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { CATEGORY_NAMES, PRIORITY_NAMES } from '../../ui/words.ts'
import { createIssue, type NewIssue } from './create-issue.ts'
import classes from './new-issue-page.module.css'

/** The id is set once the issue is sent with this content, so that a retry, also after a reload, creates nothing twice. */
type Draft = Omit<NewIssue, 'submissionId'> & Partial<Pick<NewIssue, 'submissionId'>>

const EMPTY: Draft = {
  title: '',
  description: '',
  category: DEFAULT_CATEGORY,
  priority: DEFAULT_PRIORITY,
}

/** Creates an issue, for example for what a colleague reports in person. What was typed is kept in this browser until it is sent. */
export function NewIssuePage() {
  const project = useProject()
  const navigate = useNavigate()
  const seesSecurity = useMay('security:read')
  const [stored, keepStored] = useDraft(`issue:${project.id}`)
  const draft = stored === undefined ? EMPTY : (JSON.parse(stored) as Draft)
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const preparation = usePreparedFiles()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState('')

  function write(change: Partial<Draft>): void {
    const { submissionId: _, ...next } = { ...draft, ...change }
    keepStored(JSON.stringify(next))
  }

  /** What is sent is another issue from now on. */
  function choose(chosen: readonly ChosenFile[]): void {
    write({})
    setFiles(chosen)
  }

  async function create(): Promise<void> {
    if (draft.title.trim() === '' || files.length > MAX_ATTACHMENTS || isPending) return
    setPending(true)
    setError('')
    const prepared = await preparation.prepare(files)
    if (prepared === undefined) return setPending(false)
    const { submissionId = crypto.randomUUID() } = draft
    keepStored(JSON.stringify({ ...draft, submissionId }))
    try {
      const { record, missing } = await createIssue(project.slug, { ...draft, submissionId }, prepared)
      keepStored(undefined)
      showToast({ tone: 'plain', text: `#${record.issueNumber} created.` })
      if (missing.length > 0)
        showToast({ tone: 'danger', text: `These files could not be uploaded: ${missing.join(', ')}` })
      const isHidden = draft.category === SECURITY_CATEGORY && !seesSecurity
      const inbox = {
        to: '/projects/$slug/issues',
        params: { slug: project.slug },
        search: INBOX_SEARCH,
      } as const
      await navigate(isHidden ? inbox : issueAddress(project.slug, record))
    } catch (failure) {
      setError(explain(failure))
      setPending(false)
    }
  }

  function discard(): void {
    keepStored(undefined)
    void navigate({ to: '/projects/$slug/issues', params: { slug: project.slug }, search: INBOX_SEARCH })
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void create()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void create()
  }

  return (
    <Page title="New issue">
      <form onSubmit={onSubmit} onKeyDown={onKeyDown} className={classes['form']} aria-label="New issue">
        <p className={classes['hint']}>For what a colleague reports in person. You are the reporter.</p>
        <TextInput
          label="Title"
          value={draft.title}
          required
          withAsterisk={false}
          maxLength={MAX_TITLE_CHARS}
          dir="auto"
          ref={focusOnce}
          onChange={({ currentTarget }) => write({ title: currentTarget.value })}
        />
        <Textarea
          label="Description"
          description="Plain text."
          value={draft.description}
          maxLength={MAX_DESCRIPTION_CHARS}
          dir="auto"
          autosize
          minRows={6}
          maxRows={24}
          onChange={({ currentTarget }) => write({ description: currentTarget.value })}
        />
        <div className={classes['pair']}>
          <NativeSelect
            label="Category"
            value={draft.category}
            data={CATEGORIES.map((value) => ({ value, label: CATEGORY_NAMES[value] }))}
            onChange={({ currentTarget }) => write({ category: currentTarget.value as Category })}
          />
          <NativeSelect
            label="Priority"
            value={draft.priority}
            data={PRIORITIES.map((value) => ({ value, label: PRIORITY_NAMES[value] }))}
            onChange={({ currentTarget }) => write({ priority: currentTarget.value as Priority })}
          />
        </div>
        {draft.category === SECURITY_CATEGORY && !seesSecurity && (
          <p className={classes['hint']}>
            Only people who may see security issues will see it. You will not be able to open it.
          </p>
        )}
        {isSecureContext && (
          <div className={classes['files']}>
            <ChosenFiles
              files={files.map((one) => removable(one, () => choose(files.filter((other) => other !== one))))}
              isPending={isPending}
            />
            <AttachButton
              isDisabled={isPending}
              onFiles={(more) => choose([...files, ...more.map(chooseFile)])}
            />
          </div>
        )}
        <p role="alert" className={classes['error']}>
          {preparation.error ?? error}
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={discard}>
            Discard
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={draft.title.trim() === ''}
            rightSection={<Keys keys="mod+enter" />}
          >
            Create issue
          </Button>
        </div>
      </form>
    </Page>
  )
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
