import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Icon } from '../icons/icons.tsx'
import { Dialog } from './dialog.tsx'
import classes from './pick-dialog.module.css'

export interface Pick {
  readonly id: string
  readonly title: string
  readonly icon?: ReactNode
  readonly isChosen: boolean
  /** Other words by which it is found. */
  readonly words?: string
  /** A few words at its end. */
  readonly hint?: string | undefined
}

interface PickDialogProps {
  readonly title: string
  readonly placeholder: string
  readonly options: readonly Pick[]
  /** The text if there is nothing to choose from. */
  readonly empty: string
  /** Whether several can be chosen; the dialog then stays open. */
  readonly isMultiple?: boolean
  /** Called with what is typed, if the caller finds the options; otherwise those that contain the words are shown. */
  readonly onText?: (text: string) => void
  readonly onPick: (id: string) => void
  /** Called for ⌘Enter or Ctrl+Enter. */
  readonly onSubmit?: () => void
  readonly onClose: () => void
  /** What comes after the values. */
  readonly children?: ReactNode
}

/** Values to choose from, found by typing. */
export function PickDialog({ title, onClose, ...props }: PickDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} size={420} isBare>
      <Choices title={title} {...props} />
    </Dialog>
  )
}

function Choices({
  title,
  placeholder,
  options,
  empty,
  isMultiple = false,
  onText,
  onPick,
  onSubmit,
  children,
}: Omit<PickDialogProps, 'onClose'>) {
  const listId = useId()
  const [text, setText] = useState('')
  const [cursor, setCursor] = useState(0)
  const words = text.trim().toLowerCase().split(/\s+/)
  const found = options.filter((option) => {
    if (onText !== undefined) return true
    const haystack = `${option.title} ${option.words ?? ''}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  const place = Math.min(cursor, found.length - 1)
  const current = found[place]

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) setCursor((place + step + found.length) % found.length)
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit?.()
    else if (event.key === 'Enter') current && onPick(current.id)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className={classes['field']}>
        <Icon name="search" />
        <input
          className={classes['input']}
          type="text"
          data-autofocus
          role="combobox"
          aria-label={title}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={current && `${listId}-${current.id}`}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            onText?.(event.currentTarget.value)
            setCursor(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={title}
        aria-multiselectable={isMultiple}
        className={classes['list']}
      >
        {found.map((option) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys
          <div
            key={option.id}
            id={`${listId}-${option.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.isChosen}
            data-cursor={option === current || undefined}
            ref={option === current ? scrollIntoView : undefined}
            className={classes['option']}
            // The field keeps the focus, and with it the keys.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(option.id)}
          >
            {option.icon}
            <span className={classes['title']} dir="auto">
              {option.title}
            </span>
            {option.hint !== undefined && <span className={classes['hint']}>{option.hint}</span>}
            {option.isChosen && <Icon name="check" size={14} />}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes['nothing']}>{options.length === 0 ? empty : 'No matches.'}</p>
      )}
      {children}
    </>
  )
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
