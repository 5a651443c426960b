import { Button } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../ui/icons/icons.tsx'

interface AttachButtonProps {
  readonly isDisabled: boolean
  readonly onFiles: (files: readonly File[]) => void
  /** Shown when the pointer rests on the button. */
  readonly hint?: string
}

/** Opens the file chooser of the browser. */
export function AttachButton({ isDisabled, onFiles, hint }: AttachButtonProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was removed.
          currentTarget.value = ''
        }}
      />
      <Button
        size="compact-md"
        variant="subtle"
        color="gray"
        disabled={isDisabled}
        leftSection={<Icon name="paperclip" size={14} />}
        title={hint}
        onClick={() => inputRef.current?.click()}
      >
        Attach files
      </Button>
    </>
  )
}
