import {
  type CommentAudience,
  type Issue,
  MAX_COMMENT_CHARS,
  type Person,
  SECURITY_CATEGORY,
} from '@bugle/contract'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from 'react'
import { peopleQuery } from '../../../api/people/people.ts'
import { AttachButton } from '../../../files/attach-button.tsx'
import { ChosenFiles, type FileToKeep } from '../../../files/chosen-files.tsx'
import { useProject } from '../../../shell/current-project.ts'
import classes from './comment-field.module.css'
import { CommentText } from './comment-text.tsx'
import { findMention } from './find-mention.ts'
import { MentionMenu, optionId } from './mention-menu.tsx'

interface CommentFieldProps {
  readonly issue: Issue
  readonly label: string
  /** Reporters see neither files nor mentions. */
  readonly audience: CommentAudience
  /** The id of a text about the field. */
  readonly describedBy?: string | undefined
  readonly text: string
  readonly onText: (text: string) => void
  readonly isPending: boolean
  /** Called for ⌘Enter or Ctrl+Enter. */
  readonly onSubmit: () => void
  readonly onEscape?: () => void
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
  /** The files that the comment will have. */
  readonly files: readonly FileToKeep[]
  /** Called for files that were chosen, pasted or dropped. */
  readonly onFiles: (files: readonly File[]) => void
  /** The buttons below the field, after the one for the preview. */
  readonly children: ReactNode
}

/** A field for Markdown with a preview. After `@` it suggests people who can see the issue. */
export function CommentField({
  issue,
  label,
  audience,
  describedBy,
  text,
  onText,
  isPending,
  inputRef,
  files,
  onFiles,
  ...props
}: CommentFieldProps) {
  const listId = useId()
  const { slug } = useProject()
  const isForTeam = audience === 'team'
  const [isPreview, setPreview] = useState(false)
  const [caret, setCaret] = useState<number>()
  const [cursor, setCursor] = useState(0)
  const [isDropping, setDropping] = useState(false)
  const { data: people = [] } = useQuery({
    ...peopleQuery(slug, issue.category === SECURITY_CATEGORY),
    enabled: isForTeam && text.includes('@'),
  })
  const mention =
    caret === undefined || isPreview || !isForTeam ? undefined : findMention(text, caret, people)
  const suggested = mention?.people ?? []
  const current = suggested[Math.min(cursor, suggested.length - 1)]

  /** Suggestions are for the place where the person types. */
  function follow({ selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    setCaret(selectionStart === selectionEnd ? selectionStart : undefined)
    setCursor(0)
  }

  function choose({ name }: Person): void {
    const field = inputRef.current
    if (field === null || mention === undefined || caret === undefined) return
    // As if it had been typed, so that it can be undone.
    field.setSelectionRange(mention.from, caret)
    document.execCommand('insertText', false, `@${name} `)
    setCaret(undefined)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing) return
    const isSubmit = event.key === 'Enter' && (event.metaKey || event.ctrlKey)
    if (isSubmit) props.onSubmit()
    else if (current !== undefined && ['Enter', 'Tab'].includes(event.key)) choose(current)
    else if (current !== undefined && event.key === 'ArrowDown') move(1)
    else if (current !== undefined && event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Escape' && current !== undefined) setCaret(undefined)
    else if (event.key === 'Escape' && props.onEscape !== undefined) props.onEscape()
    else return
    event.preventDefault()
  }

  function take(event: ClipboardEvent | DragEvent, { files: given }: DataTransfer): void {
    if (given.length === 0 || isPending || !isForTeam) return
    event.preventDefault()
    onFiles([...given])
  }

  /** Text that is dragged is dropped into the field as usual. */
  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    if (isPending || !isForTeam) event.dataTransfer.dropEffect = 'none'
    else setDropping(true)
  }

  function onDrop(event: DragEvent): void {
    setDropping(false)
    take(event, event.dataTransfer)
  }

  function move(step: number): void {
    setCursor((place) => (place + step + suggested.length) % suggested.length)
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button below chooses files too. */}
      <div
        className={classes['field']}
        data-dropping={isDropping || undefined}
        onDragOver={onDragOver}
        onDragLeave={() => setDropping(false)}
        onDrop={onDrop}
      >
        {suggested.length > 0 && (
          <MentionMenu id={listId} people={suggested} current={current} onChoose={choose} />
        )}
        <div hidden={isPreview}>
          <Textarea
            ref={inputRef}
            aria-label={label}
            aria-describedby={describedBy}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={current && listId}
            aria-activedescendant={current && optionId(listId, current)}
            placeholder={PLACEHOLDERS[audience]}
            maxLength={MAX_COMMENT_CHARS}
            value={text}
            readOnly={isPending}
            autosize
            minRows={3}
            maxRows={16}
            onChange={({ currentTarget }) => {
              onText(currentTarget.value)
              follow(currentTarget)
            }}
            onClick={({ currentTarget }) => follow(currentTarget)}
            onBlur={() => setCaret(undefined)}
            onPaste={(event) => take(event, event.clipboardData)}
            onKeyDown={onKeyDown}
          />
        </div>
        {isPreview && (
          <section className={classes['preview']} aria-label="Preview">
            {text.trim() === '' ? (
              <p className={classes['nothing']}>Nothing to preview.</p>
            ) : (
              <CommentText text={text} names={people.map(({ name }) => name)} />
            )}
          </section>
        )}
      </div>
      <ChosenFiles files={files} isPending={isPending} />
      <div className={classes['buttons']}>
        <Button
          size="compact-md"
          variant="subtle"
          color="gray"
          aria-pressed={isPreview}
          onClick={() => setPreview(!isPreview)}
        >
          Preview
        </Button>
        <span className={classes['toggle']}>
          {isForTeam && (
            <AttachButton
              isDisabled={isPending}
              onFiles={onFiles}
              hint="You can also paste files, or drop them on the field"
            />
          )}
        </span>
        {props.children}
      </div>
    </>
  )
}

const PLACEHOLDERS: Readonly<Record<CommentAudience, string>> = {
  team: 'Write a comment. Markdown is supported; @ mentions people, # refers to issues.',
  reporters: 'Write to the people who reported the issue.',
}
