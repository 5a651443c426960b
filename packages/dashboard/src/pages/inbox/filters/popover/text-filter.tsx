import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import classes from '../filter-menu.module.css'
import { Choices } from './choice-filter.tsx'

interface TextFilterProps {
  readonly name: string
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: readonly string[]) => void
}

/** Values of which there are too many to offer: they are typed, and added with Enter. */
export function TextFilter({ name, chosen, onChoose }: TextFilterProps) {
  const [typed, setTyped] = useState('')

  function onKeyDown(event: KeyboardEvent): void {
    const text = typed.trim()
    if (event.key !== 'Enter' || text === '' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!chosen.includes(text)) onChoose([...chosen, text])
    setTyped('')
  }

  return (
    <fieldset className={classes['group']}>
      <legend className={classes['name']}>{name}</legend>
      <TextInput
        size="xs"
        className={classes['find'] ?? ''}
        aria-label={`Add a ${name.toLowerCase()}`}
        placeholder="Type, then press Enter"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Choices offered={chosen} labelOf={(value) => value} chosen={chosen} onChoose={onChoose} />
    </fieldset>
  )
}
