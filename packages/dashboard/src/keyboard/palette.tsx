import { type KeyboardEvent, useId, useState } from 'react'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Icon } from '../ui/icons/icons.tsx'
import { Keys } from './keys.tsx'
import { closeOverlay } from './open-overlay.ts'
import classes from './palette.module.css'
import { type Finding, useFindings } from './use-findings.ts'

/** All commands and destinations, found by typing. */
export function Palette() {
  return (
    <Dialog title="Commands" onClose={closeOverlay} size={560} isBare>
      <Search />
    </Dialog>
  )
}

function Search() {
  const listId = useId()
  const [text, setText] = useState('')
  const [cursor, setCursor] = useState(0)
  const found = useFindings(text)
  const current = found[Math.min(cursor, found.length - 1)]

  function run(command: Finding | undefined): void {
    if (command === undefined) return
    closeOverlay()
    // After the dialog has returned the focus, so that the command can move it.
    setTimeout(command.run)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setCursor((Math.min(cursor, found.length - 1) + step + found.length) % found.length)
    else if (event.key === 'Enter') run(current)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className={classes['field']}>
        <Icon name="search" />
        <input
          className={classes['input']}
          data-autofocus
          role="combobox"
          aria-label="Find a command"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={current && `${listId}-${current.id}`}
          placeholder="Find a command, issue, project or guide"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setCursor(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Commands" className={classes['list']}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys
          <div
            key={command.id}
            id={`${listId}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            ref={command === current ? scrollIntoView : undefined}
            className={classes['option']}
            onClick={() => run(command)}
          >
            <span className={classes['title']} dir="auto">
              {command.title}
            </span>
            <span className={classes['section']}>{command.section}</span>
            <Keys keys={command.keys} />
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={classes['nothing']}>No matching command, issue or guide.</p>}
    </>
  )
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
