import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { deliverKeys } from '../hold-keys.ts'
import classes from './dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly size?: number | string
  /** Whether the title is only for screen readers. */
  readonly isBare?: boolean
  /** Whether a click outside closes it, as it does by default. */
  readonly closesOutside?: boolean
  readonly children: ReactNode
}

/** A dialog that is open while it is mounted. Load its component with `lazy`, because few visits need it. */
export function Dialog(props: DialogProps) {
  const { title, onClose, size = 'md', isBare = false, closesOutside = true, children } = props
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      returnFocus={false}
      closeOnClickOutside={closesOutside}
      yOffset="12dvh"
    >
      <Modal.Overlay />
      <Modal.Content onFocus={deliverKeys}>
        {/* Not Mantine's header, which would be a second banner landmark outside of main. */}
        <div className={isBare ? 'visually-hidden' : classes['head']}>
          <Modal.Title>{title}</Modal.Title>
          {!isBare && <Modal.CloseButton aria-label="Close" />}
        </div>
        <div className={isBare ? undefined : classes['body']}>{children}</div>
      </Modal.Content>
    </Modal.Root>
  )
}
