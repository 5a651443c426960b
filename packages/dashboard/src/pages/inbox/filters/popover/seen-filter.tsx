import { Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { seenValuesQuery } from '../../../../api/projects/projects.ts'
import { InlineFailure } from '../../../../ui/feedback/inline-failure.tsx'
import classes from '../filter-menu.module.css'
import { Choices } from './choice-filter.tsx'

/** The number of values offered at a time, in addition to the chosen ones. */
const MAX_OFFERED = 10
/** The search starts when typing pauses. */
const PAUSE_MS = 220

interface SeenFilterProps {
  readonly name: string
  readonly kind: 'version' | 'branch'
  readonly slug: string
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: readonly string[]) => void
}

/** Versions or branches that reports came from: the newest ones, and any other by searching. */
export function SeenFilter({ name, kind, slug, chosen, onChoose }: SeenFilterProps) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const { data, error, refetch } = useQuery({
    ...seenValuesQuery(kind, slug, q, MAX_OFFERED),
    placeholderData: (old) => old,
  })
  const found = data?.values ?? []
  const isEmpty = data !== undefined && found.length === 0
  if (isEmpty && typed === '' && q === '' && chosen.length === 0) return null

  function onKeyDown(event: KeyboardEvent): void {
    const text = typed.trim()
    if (event.key !== 'Enter' || text === '' || event.nativeEvent.isComposing) return
    event.preventDefault()
    // Values that are not listed by name can still occur in issues.
    if (!chosen.includes(text)) onChoose([...chosen, text])
    setTyped('')
  }

  return (
    <fieldset className={classes['group']} aria-busy={data === undefined && error === null}>
      <legend className={classes['name']}>{name}</legend>
      {(data?.hasMore === true || typed !== '' || q !== '') && (
        <TextInput
          size="xs"
          className={classes['find'] ?? ''}
          aria-label={`Find a ${kind}`}
          placeholder={`Find a ${kind}`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      {data === undefined && error === null && <Skeleton height={78} />}
      {data === undefined && error !== null && <InlineFailure error={error} onRetry={() => void refetch()} />}
      <Choices
        offered={[...new Set([...found, ...chosen])]}
        labelOf={(value) => value}
        chosen={chosen}
        onChoose={onChoose}
      />
      <p className={classes['none']} role="status">
        {isEmpty && q !== '' && `No ${kind} matches. Press Enter to filter by this text.`}
      </p>
    </fieldset>
  )
}
