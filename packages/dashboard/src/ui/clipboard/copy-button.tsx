import { ActionIcon, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '../icons/icons.tsx'
import { copyText } from './copy-text.ts'

/** How long the tick is shown. */
const DONE_MS = 2_000

interface CopyButtonProps {
  readonly text: string
  /** What is copied, as in "Copy the key". */
  readonly what: string
}

/** Copies a text, and shows a confirmation. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), DONE_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  async function copy(): Promise<void> {
    await copyText(text, `Copied ${what}.`)
    setDone(true)
  }

  return (
    <Tooltip label={`Copy ${what}`}>
      <ActionIcon variant="subtle" color="gray" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        <Icon name={isDone ? 'check' : 'copy'} size={14} />
      </ActionIcon>
    </Tooltip>
  )
}
