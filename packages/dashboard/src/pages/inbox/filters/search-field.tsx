import { CloseButton } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { Keys } from '../../../keyboard/keys.tsx'
import { readIssueNumber } from '../../../shell/use-open-issue.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './search-field.module.css'

/** The search starts when typing pauses. */
const PAUSE_MS = 220

interface SearchFieldProps {
  readonly text: string
  readonly onSearch: (text: string) => void
  /** Opens the issue with this number. */
  readonly onNumber: (issueNumber: number) => void
  /** Moves the focus to the results. */
  readonly onLeave: () => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** Full text over titles and descriptions. */
export function SearchField({ text, onSearch, onNumber, onLeave, inputRef }: SearchFieldProps) {
  const [typed, setTyped] = useState(text)
  const [searched, setSearched] = useState(text)
  const [known, setKnown] = useState(text)
  if (known !== text) {
    setKnown(text)
    // Our own search may arrive after the field was changed again: only one from elsewhere replaces what is in it.
    if (text !== searched) {
      setSearched(text)
      setTyped(text)
    }
  }
  const search = useEffectEvent(() => {
    if (typed === searched || readIssueNumber(typed) !== undefined) return
    setSearched(typed)
    onSearch(typed)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each character restarts the delay
  useEffect(() => {
    const timer = setTimeout(search, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const issueNumber = readIssueNumber(typed)
    if (event.key === 'Enter' && issueNumber !== undefined) onNumber(issueNumber)
    else if (event.key === 'Escape' && typed !== '') setTyped('')
    else if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') onLeave()
    else return
    event.preventDefault()
  }

  return (
    <search className={classes['field']}>
      <Icon name="search" />
      <input
        ref={inputRef}
        type="text"
        enterKeyHint="search"
        aria-label="Search issues"
        placeholder="Search, or #number"
        autoComplete="off"
        spellCheck={false}
        className={classes['input']}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {typed === '' ? (
        <span className={classes['hint']}>
          <Keys keys="/" />
        </span>
      ) : (
        <CloseButton size="sm" aria-label="Clear search" onClick={() => setTyped('')} />
      )}
    </search>
  )
}
